"""Systematic mutation of the package's sources: `Scripts/mutation-score --help`.

The modules, in the order in which a run uses them:

    syntax      parses Swift and C with tree-sitter
    mutant      what a mutant is, and its lasting id
    chains      operators by Swift's precedence
    swift, c    which mutants a file has
    modules     which files are mutated, and what judges them
    sample      which of all mutants a run tries
    schemata    the text of a file with its mutants in it, each behind the switch
    package     the copy of the package
    build       compiles the copy, without the mutants that the compiler refuses
    process     runs a program within limits of time and memory
    judges      the cases of the suites and the suites of the unit tests
    cover       which judges reach which mutants
    judging     runs each mutant until something notices it
    report      what came out
"""
