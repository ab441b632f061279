// libmpg123, which libsndfile decodes MP3 with, without its words on standard error.
#ifndef CMPEGDECODER_H
#define CMPEGDECODER_H

/// Does nothing: who calls it has the library's functions of this module in front of its own.
void mpeg_decoder_stay_quiet(void);

#endif
