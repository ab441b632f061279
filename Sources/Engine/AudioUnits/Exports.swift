// `import AudioUnits` gives the simulated hardware that output units play to.

@_exported import Hardware
