/// How the page looks: the same in every report.
enum HTMLPage {
  /// Colours are Okabe and Ito's ("Color Universal Design", 2008) or darker and lighter ones of the same hues: told
  /// apart with the common kinds of colour blindness, and in grey by their lightness.
  static let style = """
    :root{--bg:#fff;--card:#f6f7f9;--fg:#1a1e24;--dim:#5a6370;--line:#d9dee5;--good:#00694f;--bad:#b33a00;
    --new:#6a3fb0;--skip:#5a6370;--stop:#99195e;--found:#0068a8;--expected:#3c4043;--allowed:rgba(0,130,95,.11);
    --limit:#4b8a76;--mark:#c94a00;--link:#0058a3;--focus:#0068a8}
    @media (prefers-color-scheme:dark){:root{--bg:#101317;--card:#181d23;--fg:#e4e8ee;--dim:#9aa5b3;--line:#2d353f;
    --good:#3fc79f;--bad:#ff8a50;--new:#bd9cf5;--skip:#9aa5b3;--stop:#f27fb8;--found:#56b4e9;--expected:#d7dbe0;
    --allowed:rgba(63,199,159,.13);--limit:#5fa890;--mark:#ff8a50;--link:#7cc0ff;--focus:#7cc0ff}}
    *{box-sizing:border-box}
    html{scroll-padding-top:4.5rem}
    body{margin:0 auto;max-width:1180px;padding:0 24px 48px;background:var(--bg);color:var(--fg);
    font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
    code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.9em}
    a{color:var(--link);text-underline-offset:2px;overflow-wrap:anywhere}
    :focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
    .top{padding:32px 0 8px}
    h1{font-size:24px;line-height:1.3;margin:0;font-weight:600;display:flex;gap:14px;align-items:center;flex-wrap:wrap}
    .stamp{font-size:17px;letter-spacing:.06em;padding:5px 14px;border-radius:6px;color:var(--bg);
    background:var(--good)}
    .bad .stamp{background:var(--bad)}
    .unblessed .stamp{background:var(--new)}
    p.facts{margin:8px 0 14px;color:var(--dim)}
    .shares{display:flex;gap:2px;height:8px;border-radius:4px;overflow:hidden;background:var(--line)}
    .shares i{flex-basis:0;min-width:5px;background:var(--tone)}
    .v-passed{--tone:var(--good)}.v-skipped{--tone:var(--skip)}.v-unblessed{--tone:var(--new)}
    .v-failed{--tone:var(--bad)}.v-crashed,.v-timedOut,.v-error{--tone:var(--stop)}
    .filters{display:none;position:sticky;top:0;z-index:2;gap:8px 16px;align-items:center;flex-wrap:wrap;padding:10px 0;
    background:var(--bg);border-bottom:1px solid var(--line)}
    [data-ready] .filters{display:flex}
    .filters>div{display:flex;gap:4px;flex-wrap:wrap}
    button{font:inherit;font-size:14px;color:var(--fg);background:var(--card);border:1px solid var(--line);
    border-radius:6px;padding:3px 11px;cursor:pointer}
    button:hover{border-color:var(--dim)}
    button b{font-weight:600;color:var(--dim);margin-left:3px}
    button[aria-pressed=true]{background:var(--fg);border-color:var(--fg);color:var(--bg)}
    button[aria-pressed=true] b{color:inherit}
    input[type=search]{font:inherit;font-size:14px;flex:1 1 170px;min-width:130px;padding:3px 10px;color:var(--fg);
    background:var(--bg);border:1px solid var(--line);border-radius:6px}
    .shown{color:var(--dim);font-size:14px}
    section{margin-top:26px}
    h2{font-size:16px;margin:0 0 8px;overflow-wrap:anywhere}
    h2 small{font-weight:400;color:var(--dim);margin-left:8px;font-size:14px}
    .case{border:1px solid var(--line);border-left:4px solid var(--tone);border-radius:6px;margin:0 0 4px;
    content-visibility:auto;contain-intrinsic-size:auto 40px}
    .case.v-passed,.case.v-skipped{margin:-1px 0 0;border-radius:0}
    .case.v-passed>summary,.case.v-skipped>summary{padding-top:4px;padding-bottom:4px}
    .case.v-passed .name,.case.v-passed .tag{font-weight:500}
    .case.v-passed[open],.case.v-skipped[open]{margin:8px 0 12px;border-radius:6px}
    .case[open]{margin-bottom:14px;contain-intrinsic-size:auto 900px}
    .case>summary{display:flex;align-items:baseline;gap:12px;padding:7px 12px;cursor:pointer;list-style:none;
    border-radius:6px}
    .case>summary::-webkit-details-marker{display:none}
    .case>summary:hover{background:var(--card)}
    .case[open]>summary{border-bottom:1px solid var(--line);border-radius:6px 6px 0 0;background:var(--card)}
    .case:target{box-shadow:0 0 0 2px var(--focus)}
    .tag{color:var(--tone);font-weight:600;white-space:nowrap;flex:none;min-width:86px}
    .tag i{font-style:normal;display:inline-block;width:1.35em}
    .name{font-weight:600;overflow-wrap:anywhere;min-width:0;flex:0 1 auto}
    .suite{font-weight:400;color:var(--dim)}
    .why{color:var(--dim);flex:1 1 40px;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .time{color:var(--dim);margin-left:auto;white-space:nowrap;font-variant-numeric:tabular-nums}
    .body{padding:14px 18px 16px}
    dl{display:grid;grid-template-columns:86px minmax(0,1fr);gap:2px 12px;margin:0}
    dt{color:var(--dim)}
    dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap;max-height:16em;overflow-y:auto}
    .found{font-weight:600}
    .v-failed>dl .found{color:var(--bad)}
    .node{color:var(--bad)}
    pre{margin:8px 0 0;padding:10px 12px;background:var(--card);border:1px solid var(--line);border-radius:6px;
    white-space:pre-wrap;overflow-wrap:anywhere;max-height:22em;overflow:auto}
    .check{border-top:1px solid var(--line);margin-top:12px;padding-top:10px}
    .check h3{font-size:15px;margin:0 0 6px;display:flex;gap:12px}
    .check>summary{display:flex;gap:12px;align-items:baseline;cursor:pointer;list-style:none}
    .check>summary::-webkit-details-marker{display:none}
    details.check+details.check{margin-top:4px;padding-top:4px;border-top:0}
    details.check[open]>dl{margin-top:6px}
    .readings,.log{margin-top:10px}
    .readings>summary,.log>summary{cursor:pointer;color:var(--dim)}
    .wide{overflow-x:auto}
    table{border-collapse:collapse;font-size:14px;margin-top:4px}
    th,td{text-align:left;padding:3px 18px 3px 0;border-bottom:1px solid var(--line);vertical-align:top}
    th{font-weight:500;color:var(--dim)}
    .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    thead th:nth-child(n+2):nth-child(-n+5){text-align:right}
    figure{margin:12px 0 4px}
    .plot{display:block;width:100%;max-width:900px;height:auto;font-size:11.5px}
    .plot text{fill:var(--dim)}
    .plot .axis{fill:var(--fg)}
    .plot path,.plot rect{fill:none}
    .plot .minor{stroke:var(--line);stroke-width:.5;opacity:.7}
    .plot .grid{stroke:var(--line);stroke-width:1}
    .plot .frame{stroke:var(--dim);stroke-width:1}
    .plot .allowed{fill:var(--allowed)}
    .plot .limit{stroke:var(--limit);stroke-width:1.2}
    .plot .expected{stroke:var(--expected);stroke-width:1.3;stroke-dasharray:6 5}
    .plot .actual{stroke:var(--found);stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}
    .plot .mark{stroke:var(--mark);stroke-width:2;stroke-linecap:round}
    .picture img{max-width:100%;height:auto;background:#fff;border:1px solid var(--line);border-radius:6px}
    figcaption,.note,small{color:var(--dim);font-size:13.5px}
    .note{margin:8px 0 0}
    .sounds{display:grid;grid-template-columns:repeat(auto-fit,minmax(290px,1fr));gap:12px;margin-top:14px;
    border-top:1px solid var(--line);padding-top:12px}
    .sound{display:flex;flex-direction:column;gap:3px;min-width:0}
    .sound a{font-size:13.5px}
    audio{width:100%;height:36px}
    .command{display:flex;gap:12px;align-items:baseline;margin-top:14px;border-top:1px solid var(--line);
    padding-top:12px}
    .command span{color:var(--dim);white-space:nowrap}
    .command code{overflow-wrap:anywhere;min-width:0;flex:1}
    .command button{flex:none}
    html:not([data-ready]) [data-copy]{display:none}
    .bar{width:180px}
    .bar i{display:block;height:9px;margin-top:7px;min-width:2px;background:var(--found);border-radius:2px;opacity:.65}
    footer{margin-top:34px;border-top:1px solid var(--line)}
    .keys{color:var(--dim);font-size:13.5px;margin-top:24px}
    html:not([data-ready]) .keys{display:none}
    kbd{border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--card)}
    @media (max-width:640px){body{padding:0 12px 32px}.case>summary{flex-wrap:wrap;gap:2px 10px}
    .case>summary .why{order:3;flex-basis:100%}dl{grid-template-columns:1fr}dt{margin-top:4px}.tag{min-width:0}}
    @media print{:root{--bg:#fff;--card:#fff;--fg:#000;--dim:#444;--line:#bbb;--good:#00543f;--bad:#8f2e00;
    --new:#51308a;--skip:#444;--stop:#7a144b;--found:#00527f;--expected:#222;--allowed:rgba(0,0,0,.07);--limit:#555;
    --mark:#8f2e00;
    --link:#000}body{max-width:none;font-size:11pt;padding:0}
    .filters,.keys,audio,.command button{display:none!important}
    .case{content-visibility:visible}dl,figure,.sounds,tr{break-inside:avoid}
    h2,h3,summary{break-after:avoid}.why{white-space:normal}
    dd,pre{max-height:none;overflow:visible}.stamp{border:2px solid;color:var(--bad);background:none!important}
    .good .stamp{color:var(--good)}}
    """
}
