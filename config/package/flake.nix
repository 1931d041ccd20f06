# nix run 'github:hipocampus/hipocampusd?dir=config/package'
{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }: {
    packages = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] (system: {
      default = nixpkgs.legacyPackages.${system}.rustPlatform.buildRustPackage {
        pname = "hipocampusd";
        version = (nixpkgs.lib.importTOML ../../Cargo.toml).package.version;
        src = ../..;
        cargoLock.lockFile = ../../Cargo.lock;
        # They ask for a home, a clock and programs that the sandbox has not.
        doCheck = false;
      };
    });
  };
}
