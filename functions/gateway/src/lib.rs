//! The default route: what no operation serves. Its binary is all there is.
