//! Templates made at random, rendered by the real Helm before and after they are edited.

mod batch;
mod body;
mod law;
mod reduce;
mod sets;
mod writer;
