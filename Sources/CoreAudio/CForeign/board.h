// Declarations that the sources of this module share.
#ifndef BOARD_H
#define BOARD_H

/// The calling thread goes into a component's code, of which a notice says which; null: out of all.
void foreign_board_enter(const char *notice);
/// True where another process watches this one, which has not settled how it ends.
int foreign_board_is_open(void);
/// A crash notice has been written.
void foreign_board_tell(void);

#endif
