//! The contract, as `build.rs` makes it of `proto/`.

#![allow(clippy::enum_variant_names, clippy::pedantic, missing_docs)]

tonic::include_proto!("arena.v1");
