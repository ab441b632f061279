# Completion of aubench for bash. Made by "aubench --print-completion=bash".

_aubench() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= option= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
  done
  if ((i + 1 < COMP_CWORD)); then
    case "$command ${COMP_WORDS[i+1]}" in
      "batch merge" | "batch submit") command+=" ${COMP_WORDS[i+1]}" ;;
    esac
  fi
  # The shell takes "--rate=48000" for three words; "=" counts as part of the option.
  if [[ $current == = ]]; then option=$previous current=
  elif [[ $previous == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $previous == -* ]]; then option=$previous
  fi
  COMPREPLY=()
  case "$command $option" in
    "render --output" | "render -o") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --retries") :; return ;;
    "render --shard") :; return ;;
    "render --journal") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --loudness") :; return ;;
    "render --true-peak") :; return ;;
    "render --trim-keep") :; return ;;
    "render --fade-in") :; return ;;
    "render --fade-out") :; return ;;
    "render --split") :; return ;;
    "render --seconds") :; return ;;
    "render --frames") :; return ;;
    "render --cap") :; return ;;
    "render --slice") :; return ;;
    "render --set" | "render -s") :; return ;;
    "render --input" | "render -i") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --rate" | "render -r") :; return ;;
    "render --quality") mapfile -t COMPREPLY < <(compgen -W "linear zero-order-hold fast medium best mastering minimum-phase" -- "$current"); return ;;
    "render --graph-rate") :; return ;;
    "render --tap") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --encoding" | "render -e") mapfile -t COMPREPLY < <(compgen -W "pcm_s8 pcm_u8 pcm16 pcm24 pcm32 float32 float64 ulaw alaw ima_adpcm ms_adpcm gsm610 nms_adpcm16 nms_adpcm24 nms_adpcm32 g721_32 g723_24 g723_40 dwvw16 dwvw24 dpcm8 dpcm16 vorbis opus alac16 mp3 aac" -- "$current"); return ;;
    "render --container" | "render -c") mapfile -t COMPREPLY < <(compgen -W "wav wavex rf64 w64 aiff caf flac ogg opus mp3 m4a au raw paf svx nist voc ircam mat4 mat5 pvf xi htk avr wve mpc2k" -- "$current"); return ;;
    "render --codec-quality") :; return ;;
    "render --bit-rate") :; return ;;
    "render --threads" | "render -t") :; return ;;
    "render --tag") mapfile -t COMPREPLY < <(compgen -W "title= copyright= software= artist= comment= date= album= license= tracknumber= genre= albumartist= composer= discnumber= isrc= lyrics= performer=" -- "$current"); return ;;
    "render --cover") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "render --nonfinite") mapfile -t COMPREPLY < <(compgen -W "error silence keep" -- "$current"); return ;;
    "render --memory") :; return ;;
    "convert --output" | "convert -o") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --retries") :; return ;;
    "convert --shard") :; return ;;
    "convert --journal") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --loudness") :; return ;;
    "convert --true-peak") :; return ;;
    "convert --trim-keep") :; return ;;
    "convert --fade-in") :; return ;;
    "convert --fade-out") :; return ;;
    "convert --split") :; return ;;
    "convert --rate" | "convert -r") :; return ;;
    "convert --quality") mapfile -t COMPREPLY < <(compgen -W "linear zero-order-hold fast medium best mastering minimum-phase" -- "$current"); return ;;
    "convert --converter") mapfile -t COMPREPLY < <(compgen -W "bank library" -- "$current"); return ;;
    "convert --channels") :; return ;;
    "convert --layout") :; return ;;
    "convert --lfe") :; return ;;
    "convert --map" | "convert -m") :; return ;;
    "convert --encoding" | "convert -e") mapfile -t COMPREPLY < <(compgen -W "pcm_s8 pcm_u8 pcm16 pcm24 pcm32 float32 float64 ulaw alaw ima_adpcm ms_adpcm gsm610 nms_adpcm16 nms_adpcm24 nms_adpcm32 g721_32 g723_24 g723_40 dwvw16 dwvw24 dpcm8 dpcm16 vorbis opus alac16 mp3 aac" -- "$current"); return ;;
    "convert --container" | "convert -c") mapfile -t COMPREPLY < <(compgen -W "wav wavex rf64 w64 aiff caf flac ogg opus mp3 m4a au raw paf svx nist voc ircam mat4 mat5 pvf xi htk avr wve mpc2k" -- "$current"); return ;;
    "convert --codec-quality") :; return ;;
    "convert --bit-rate") :; return ;;
    "convert --threads" | "convert -t") :; return ;;
    "convert --tag") mapfile -t COMPREPLY < <(compgen -W "title= copyright= software= artist= comment= date= album= license= tracknumber= genre= albumartist= composer= discnumber= isrc= lyrics= performer=" -- "$current"); return ;;
    "convert --cover") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "convert --nonfinite") mapfile -t COMPREPLY < <(compgen -W "error silence keep" -- "$current"); return ;;
    "batch --retries") :; return ;;
    "batch --shard") :; return ;;
    "batch --journal") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch --threads" | "batch -t") :; return ;;
    "batch --memory") :; return ;;
    "batch merge --journal") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch merge --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch merge --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch merge --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch merge --memory") :; return ;;
    "batch submit --shards") :; return ;;
    "batch submit --sbatch") :; return ;;
    "batch submit --resubmit") :; return ;;
    "batch submit --retries") :; return ;;
    "batch submit --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch submit --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch submit --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "batch submit --memory") :; return ;;
    "measure --what" | "measure -w") mapfile -t COMPREPLY < <(compgen -W "linear distortion noise dynamics levels crosstalk resampler voice" -- "$current"); return ;;
    "measure --set" | "measure -s") :; return ;;
    "measure --preset" | "measure -p") :; return ;;
    "measure --keys") :; return ;;
    "measure --input" | "measure -i") :; return ;;
    "measure --rate" | "measure -r") :; return ;;
    "measure --channels") :; return ;;
    "measure --encoding" | "measure -e") mapfile -t COMPREPLY < <(compgen -W "pcm16 pcm24 pcm32 float32 float64" -- "$current"); return ;;
    "measure --time-limit") :; return ;;
    "measure --layout") :; return ;;
    "measure --level") :; return ;;
    "measure --methods") mapfile -t COMPREPLY < <(compgen -W "impulse sweep noise multitone" -- "$current"); return ;;
    "measure --response-frames") :; return ;;
    "measure --far") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "measure --near") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "measure --vary") :; return ;;
    "measure --plot") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "measure --against") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "measure --memory") :; return ;;
    "bench --slice") :; return ;;
    "bench --threads" | "bench -t") :; return ;;
    "bench --seconds") :; return ;;
    "bench --rate") :; return ;;
    "bench --set" | "bench -s") :; return ;;
    "bench --keys") :; return ;;
    "bench --input" | "bench -i") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --vary") :; return ;;
    "bench --against") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --against-binary") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --plot") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --csv") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --markdown") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --threshold") :; return ;;
    "bench --history") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "bench --memory") :; return ;;
    "verify --case") :; return ;;
    "verify --reason") :; return ;;
    "verify --html") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "verify --junit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "verify --report") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "verify --artifacts" | "verify -o") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "verify --jobs" | "verify -t") :; return ;;
    "verify --slice") :; return ;;
    "verify --threads") :; return ;;
    "verify --memory") :; return ;;
    "compare --ulps") :; return ;;
    "compare --peak") :; return ;;
    "compare --rms") :; return ;;
    "compare --relative") :; return ;;
    "compare --window") :; return ;;
    "compare --delay") :; return ;;
    "compare --gain") :; return ;;
    "compare --drift") :; return ;;
    "compare --bands") :; return ;;
    "compare --spectrum") :; return ;;
    "compare --loudness") :; return ;;
    "compare --difference" | "compare -d") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "compare --memory") :; return ;;
    "plot --output" | "plot -o") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "plot --kind" | "plot -k") mapfile -t COMPREPLY < <(compgen -W "spectrum spectrogram waveform" -- "$current"); return ;;
    "plot --channel") :; return ;;
    "plot --segment") :; return ;;
    "plot --smoothing") :; return ;;
    "plot --from") :; return ;;
    "plot --duration") :; return ;;
    "plot --low") :; return ;;
    "plot --high") :; return ;;
    "plot --floor") :; return ;;
    "plot --title") :; return ;;
    "plot --memory") :; return ;;
    "trace --output" | "trace -o") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "trace --plot" | "trace -p") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "trace --golden") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "trace --scenario") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "trace --seconds") :; return ;;
    "trace --frames") :; return ;;
    "trace --slice") :; return ;;
    "trace --set" | "trace -s") :; return ;;
    "trace --input" | "trace -i") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "trace --graph-rate") :; return ;;
    "describe --set" | "describe -s") :; return ;;
    "describe --input" | "describe -i") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); return ;;
    "describe --rate" | "describe -r") :; return ;;
    "describe --quality") mapfile -t COMPREPLY < <(compgen -W "linear zero-order-hold fast medium best mastering minimum-phase" -- "$current"); return ;;
    "describe --graph-rate") :; return ;;
    "describe --memory") :; return ;;
  esac
  if [[ $current == -* ]]; then
    case $command in
      render) mapfile -t COMPREPLY < <(compgen -W "--output= --dry-run --fail-fast --retries= --shard= --journal= --html= --junit= --csv= --loudness= --true-peak= --limit --album --measure-loudness --trim --trim-keep= --fade-in= --fade-out= --split= --seconds= --frames= --until-silent --cap= --no-tail --slice= --trim-latency --set= --input= --rate= --quality= --graph-rate= --tap= --encoding= --container= --codec-quality= --bit-rate= --dither --no-clobber --threads= --tag= --cover= --no-metadata --nonfinite= --json --quiet --memory= --help" -- "$current") ;;
      convert) mapfile -t COMPREPLY < <(compgen -W "--output= --dry-run --fail-fast --retries= --shard= --journal= --html= --junit= --csv= --loudness= --true-peak= --limit --album --measure-loudness --trim --trim-keep= --fade-in= --fade-out= --split= --rate= --quality= --converter= --channels= --layout= --lfe= --map= --encoding= --container= --codec-quality= --bit-rate= --dither --no-clobber --threads= --tag= --cover= --no-metadata --allow-truncated --nonfinite= --json --quiet --help" -- "$current") ;;
      batch) mapfile -t COMPREPLY < <(compgen -W "--dry-run --fail-fast --retries= --shard= --journal= --html= --junit= --csv= --threads= --json --quiet --memory= --help" -- "$current") ;;
      "batch merge") mapfile -t COMPREPLY < <(compgen -W "--journal= --html= --junit= --csv= --json --quiet --memory= --help" -- "$current") ;;
      "batch submit") mapfile -t COMPREPLY < <(compgen -W "--slurm --shards= --sbatch= --resubmit= --retries= --html= --junit= --csv= --json --quiet --memory= --help" -- "$current") ;;
      measure) mapfile -t COMPREPLY < <(compgen -W "--what= --set= --preset= --keys= --input= --rate= --channels= --encoding= --time-limit= --layout= --level= --methods= --response-frames= --far= --near= --vary= --plot= --data --against= --json --memory= --help" -- "$current") ;;
      bench) mapfile -t COMPREPLY < <(compgen -W "--slice= --threads= --seconds= --rate= --set= --keys= --input= --vary= --against= --against-binary= --plot= --html= --csv= --markdown= --realtime --require-times --instructions --threshold= --history= --json --quiet --memory= --help" -- "$current") ;;
      verify) mapfile -t COMPREPLY < <(compgen -W "--case= --list --sensitivity --bless --reason= --html= --junit= --report= --artifacts= --jobs= --shuffle --slice= --threads= --no-commands --verbose --json --quiet --memory= --help" -- "$current") ;;
      compare) mapfile -t COMPREPLY < <(compgen -W "--exact --ulps= --peak= --rms= --relative= --window= --align --delay= --gain= --drift= --inverted --bands= --spectrum= --loudness= --difference= --no-clobber --json --quiet --memory= --help" -- "$current") ;;
      plot) mapfile -t COMPREPLY < <(compgen -W "--output= --data --kind= --channel= --segment= --smoothing= --from= --duration= --low= --high= --linear --floor= --title= --quiet --memory= --help" -- "$current") ;;
      trace) mapfile -t COMPREPLY < <(compgen -W "--output= --plot= --golden= --bless --every --scenario= --seconds= --frames= --slice= --set= --input= --graph-rate= --quiet --help" -- "$current") ;;
      describe) mapfile -t COMPREPLY < <(compgen -W "--dot --set= --input= --rate= --quality= --graph-rate= --json --memory= --help" -- "$current") ;;
      units) mapfile -t COMPREPLY < <(compgen -W "--json --help" -- "$current") ;;
      *) mapfile -t COMPREPLY < <(compgen -W "--help --version" -- "$current") ;;
    esac
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
    return
  fi
  case $command in
    render) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    convert) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    batch) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}"); COMPREPLY+=($(compgen -W "merge submit" -- "$current")) ;;
    "batch merge") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    "batch submit") mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    measure) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    bench) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    verify) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    compare) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    plot) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    trace) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    describe) mapfile -t COMPREPLY < <(compgen -f -- "${current##*=}") ;;
    units) mapfile -t COMPREPLY < <(compgen -W "genericOutput filePlayer toneGenerator noiseGenerator multichannelMixer spatialMixer mixer3D matrixMixer splitter multiSplitter merger iPodEQ nBandEQ lowPassFilter highPassFilter bandPassFilter lowShelfFilter highShelfFilter parametricEQ graphicEQ multibandFilter sampleDelay delay reverb distortion dynamicsProcessor peakLimiter normalizer formatConverter varispeed timePitch newTimePitch remoteIO voiceProcessingIO" -- "$current") ;;
    help) mapfile -t COMPREPLY < <(compgen -W "render convert batch measure bench verify compare plot trace describe units" -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "render convert batch measure bench verify compare plot trace describe units help" -- "$current") ;;
  esac
}

complete -o filenames -F _aubench aubench
