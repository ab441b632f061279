// `import BatchRender` is all that a program needs: graphs, units, files and errors come along.

@_exported import AudioCore
@_exported import AudioUnits
@_exported import JSONFiles
@_exported import RenderGraph
@_exported import SampleRate
@_exported import SoundFile
@_exported import Tags
