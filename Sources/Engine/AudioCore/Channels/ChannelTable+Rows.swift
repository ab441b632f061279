// The rows of the table of channels and layouts: labels and tags are those of CoreAudioBaseTypes.h, names are ours.

extension ChannelTable {
  /// Columns are separated by tabs.
  static let rows = """
    # The channels that layouts are made of: label, abbreviation, name in full.
    channel	0	-	Unused
    channel	1	L	Left
    channel	2	R	Right
    channel	3	C	Centre
    channel	4	LFE	Low frequency effects
    channel	5	Ls	Left surround
    channel	6	Rs	Right surround
    channel	7	Lc	Left of centre
    channel	8	Rc	Right of centre
    channel	9	Cs	Centre surround
    channel	10	Lsd	Left side
    channel	11	Rsd	Right side
    channel	12	Ts	Top
    channel	13	Vhl	Top front left
    channel	14	Vhc	Top front centre
    channel	15	Vhr	Top front right
    channel	16	Tbl	Top back left
    channel	17	Tbc	Top back centre
    channel	18	Tbr	Top back right
    channel	33	Rls	Rear left
    channel	34	Rrs	Rear right
    channel	35	Lw	Left wide
    channel	36	Rw	Right wide
    channel	37	LFE2	Low frequency effects 2
    channel	38	Lt	Left, matrix coded
    channel	39	Rt	Right, matrix coded
    channel	42	M	Mono
    channel	44	Csd	Centre surround, direct
    channel	49	Ltm	Top middle left
    channel	51	Rtm	Top middle right
    channel	52	Ltr	Top rear left
    channel	53	Ctr	Top rear centre
    channel	54	Rtr	Top rear right
    channel	55	Lss	Left side surround
    channel	56	Rss	Right side surround
    channel	57	Lb	Bottom left
    channel	58	Rb	Bottom right
    channel	59	Cb	Bottom centre
    channel	60	Lts	Top surround left
    channel	61	Rts	Top surround right
    channel	62	LFE3	Low frequency effects 3
    channel	63	Lbs	Left back surround
    channel	64	Rbs	Right back surround
    channel	65	Leos	Left edge of screen
    channel	66	Reos	Right edge of screen
    channel	100	xyz	By coordinates
    channel	200	W	Ambisonic W
    channel	201	X	Ambisonic X
    channel	202	Y	Ambisonic Y
    channel	203	Z	Ambisonic Z
    channel	204	Mid	Mid
    channel	205	Side	Side
    channel	206	X	Coincident X
    channel	207	Y	Coincident Y
    channel	208	L	Binaural left
    channel	209	R	Binaural right
    channel	301	L	Headphones left
    channel	302	R	Headphones right
    channel	400	D	Discrete
    # The layouts that have a tag, in hexadecimal: name, channels in order, by abbreviation, or by label where that is another's. Where
    # several have the same channels, the first is the answer to what their tag is. The order of the cube's corners is this project's.
    layout	00640001	Mono	C
    layout	00650002	Stereo	L R
    layout	00660002	Stereo headphones	L R
    layout	00670002	Matrix stereo	Lt Rt
    layout	00680002	Mid and side	Mid Side
    layout	00690002	Coincident pair	206 207
    layout	006A0002	Binaural	L R
    layout	006B0004	Ambisonic B-format	W X Y Z
    layout	006C0004	Quadraphonic	L R Ls Rs
    layout	006D0005	Pentagonal	L R Ls Rs C
    layout	006E0006	Hexagonal	L R Ls Rs C Cs
    layout	006F0008	Octagonal	L R Ls Rs C Cs Lw Rw
    layout	00700008	Cube	L R Rls Rrs Vhl Vhr Tbl Tbr
    layout	00710003	3.0	L R C
    layout	00720003	3.0, centre first	C L R
    layout	00730004	4.0	L R C Cs
    layout	00740004	4.0, centre first	C L R Cs
    layout	00750005	5.0	L R C Ls Rs
    layout	00760005	5.0, centre last	L R Ls Rs C
    layout	00770005	5.0, left centre right	L C R Ls Rs
    layout	00780005	5.0, centre first	C L R Ls Rs
    layout	00790006	5.1	L R C LFE Ls Rs
    layout	007A0006	5.1, centre and effects last	L R Ls Rs C LFE
    layout	007B0006	5.1, left centre right	L C R Ls Rs LFE
    layout	007C0006	5.1, centre first	C L R Ls Rs LFE
    layout	007D0007	6.1	L R C LFE Ls Rs Cs
    layout	007E0008	7.1, five in front	L R C LFE Ls Rs Lc Rc
    layout	007F0008	7.1, five in front, centre first	C Lc Rc L R Ls Rs LFE
    layout	00800008	7.1	L R C LFE Ls Rs Rls Rrs
    layout	00810008	7.1, five in front, surround before centre	L R Ls Rs C LFE Lc Rc
    layout	00820008	5.1 and matrix stereo	L R C LFE Ls Rs Lt Rt
    layout	00830003	3.0, one surround	L R Cs
    layout	00840004	4.0, two surrounds	L R Ls Rs
    layout	00850003	2.1	L R LFE
    layout	00860004	3.1, one surround	L R LFE Cs
    layout	00870005	4.1, two surrounds	L R LFE Ls Rs
    layout	00880004	3.1	L R C LFE
    layout	00890005	4.1	L R C LFE Cs
    layout	008A0005	4.1, two surrounds, effects last	L R Ls Rs LFE
    layout	008B0006	6.0	L R Ls Rs C Cs
    layout	008C0007	7.0	L R Ls Rs C Rls Rrs
    layout	00940007	7.0, five in front	L R Ls Rs C Lc Rc
    layout	00B90004	4.0, two rear	L R Rls Rrs
    layout	00BA0005	5.0, two rear	L R C Rls Rrs
    layout	00BB0006	5.1, two rear	L R C LFE Rls Rrs
    layout	00BC0007	6.1, one rear before the sides	L R C LFE Cs Ls Rs
    layout	00BD0008	7.1, rear before the sides	L R C LFE Rls Rrs Ls Rs
    layout	008D0006	6.0 of AAC	C L R Ls Rs Cs
    layout	008E0007	6.1 of AAC	C L R Ls Rs Cs LFE
    layout	008F0007	7.0 of AAC	C L R Ls Rs Rls Rrs
    layout	00900008	7.0 of AAC, octagonal	C L R Ls Rs Rls Rrs Cs
    layout	00910010	10.2	L R C Vhc Lsd Rsd Ls Rs Vhl Vhr Lw Rw Csd Cs LFE LFE2
    layout	00950002	1.0.1 of AC-3	C LFE
    layout	00960003	3.0 of AC-3	L C R
    layout	00970004	3.1 of AC-3, one surround	L C R Cs
    layout	00980004	3.0.1 of AC-3	L C R LFE
    layout	00990004	2.1.1 of AC-3	L R Cs LFE
    layout	009A0005	3.1.1 of AC-3	L C R Cs LFE
    layout	009B0006	6.0 of E-AC-3	L C R Ls Rs Cs
    layout	009C0007	7.0 of E-AC-3	L C R Ls Rs Rls Rrs
    layout	009D0007	6.1 of E-AC-3, centre surround	L C R Ls Rs LFE Cs
    layout	009E0007	6.1 of E-AC-3, top	L C R Ls Rs LFE Ts
    layout	009F0007	6.1 of E-AC-3, high centre	L C R Ls Rs LFE Vhc
    layout	00A00008	7.1 of E-AC-3, rear	L C R Ls Rs LFE Rls Rrs
    layout	00A10008	7.1 of E-AC-3, five in front	L C R Ls Rs LFE Lc Rc
    layout	00A20008	7.1 of E-AC-3, direct surrounds	L C R Ls Rs LFE Lsd Rsd
    layout	00A30008	7.1 of E-AC-3, wide	L C R Ls Rs LFE Lw Rw
    layout	00A40008	7.1 of E-AC-3, high	L C R Ls Rs LFE Vhl Vhr
    layout	00A50008	7.1 of E-AC-3, centre surround and top	L C R Ls Rs LFE Cs Ts
    layout	00A60008	7.1 of E-AC-3, centre surround and high centre	L C R Ls Rs LFE Cs Vhc
    layout	00A70008	7.1 of E-AC-3, top and high centre	L C R Ls Rs LFE Ts Vhc
    layout	00A80004	3.1 of DTS	C L R LFE
    layout	00A90005	4.1 of DTS	C L R Cs LFE
    layout	00AA0006	6.0 of DTS, four in front	Lc Rc L R Ls Rs
    layout	00AB0006	6.0 of DTS, top	C L R Rls Rrs Ts
    layout	00AC0006	6.0 of DTS, centre surround	C Cs L R Rls Rrs
    layout	00AD0007	6.1 of DTS, four in front	Lc Rc L R Ls Rs LFE
    layout	00AE0007	6.1 of DTS, top	C L R Rls Rrs Ts LFE
    layout	00AF0007	6.1 of DTS, centre surround	C Cs L R Rls Rrs LFE
    layout	00B00007	7.0 of DTS	Lc C Rc L R Ls Rs
    layout	00B10008	7.1 of DTS	Lc C Rc L R Ls Rs LFE
    layout	00B20008	8.0 of DTS, four in front	Lc Rc L R Ls Rs Rls Rrs
    layout	00B30008	8.0 of DTS, centre surround	Lc C Rc L R Ls Cs Rs
    layout	00B40009	8.1 of DTS, four in front	Lc Rc L R Ls Rs Rls Rrs LFE
    layout	00B50009	8.1 of DTS, centre surround	Lc C Rc L R Ls Cs Rs LFE
    layout	00B60007	6.1 of DTS, centre first	C L R Ls Rs LFE Cs
    layout	00B70008	7.1 of AAC, rear	C L R Ls Rs Rls Rrs LFE
    layout	00B80008	7.1 of AAC, high	C L R Ls Rs LFE Vhl Vhr
    layout	00C0000C	7.1.4	L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr
    layout	00C10010	9.1.6	L R C LFE Ls Rs Rls Rrs Lw Rw Vhl Vhr Ltm Rtm Ltr Rtr
    layout	00C20008	5.1.2	L R C LFE Ls Rs Ltm Rtm
    layout	00C3000A	5.1.4	L R C LFE Ls Rs Vhl Vhr Ltr Rtr
    layout	00C4000A	7.1.2	L R C LFE Ls Rs Rls Rrs Ltm Rtm
    layout	00C50004	4.0, centre last	L R Cs C
    layout	00C60006	6.0, centre last	L R Ls Rs Cs C
    layout	00C70007	6.1, centre and effects last	L R Ls Rs Cs C LFE
    layout	00C80007	6.1, left centre right	L C R Ls Cs Rs LFE
    layout	00C90008	7.1, centre and effects last	L R Ls Rs Rls Rrs C LFE
    layout	00CA000C	7.1.4, rear before the sides	L R Rls Rrs Ls Rs C LFE Vhl Vhr Ltr Rtr
    layout	00CB000E	7.1.6	L R Rls Rrs Ls Rs C LFE Vhl Vhr Ltm Rtm Ltr Rtr
    layout	00CC0018	22.2	Lc Rc C LFE2 Rls Rrs L R Cs LFE3 Lss Rss Vhl Vhr Vhc Ts Ltr Rtr Ltm Rtm Ctr Cb Lb Rb
    layout	00CD0008	5.1, two high	L R C LFE Ls Rs Vhl Vhr
    layout	00CE000C	10.2, two effects channels	L R C LFE2 Rls Rrs LFE3 Lss Rss Vhl Vhr Ctr
    layout	00CF000A	5.1, four high	L R C LFE Ls Rs Vhl Vhr Lts Rts
    layout	00D0000C	5.1, six high	L R C LFE Ls Rs Vhl Vhr Vhc Lts Rts Ts
    layout	00D1000E	7.1, six high	L R C LFE Ls Rs Lbs Rbs Vhl Vhr Vhc Lts Rts Ts
    layout	00D2000C	7.1, four high	L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr
    layout	00D3000E	7.1, four high, screen edges	L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr Leos Reos
    layout	00D40005	5.0 of Ogg	L C R Rls Rrs
    layout	00D50006	5.1 of Ogg	L C R Rls Rrs LFE
    layout	00D60007	6.1 of Ogg	L C R Ls Rs Cs LFE
    layout	00D70008	7.1 of Ogg	L C R Ls Rs Rls Rrs LFE
    layout	00D80005	5.0, two rear, centre last	L R Rls Rrs C
    layout	00D90006	5.1, two rear, centre and effects last	L R Rls Rrs C LFE
    layout	00DA0007	6.1, centre before centre surround	L R Ls Rs C Cs LFE
    layout	00DB0008	7.1, rear before the sides, effects last	L R Rls Rrs Ls Rs C LFE
    """
}
