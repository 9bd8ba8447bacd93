//! Makes Rust of the contract under `proto/`; no protoc is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = protox::compile(["arena/v1/referee.proto"], ["proto"])?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .compile_fds(files)?;
    println!("cargo:rerun-if-changed=proto");
    Ok(())
}
