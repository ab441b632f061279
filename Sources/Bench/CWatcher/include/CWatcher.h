// libaubench-watch.so has no functions to be called by name: see CRenderWatch.h.
