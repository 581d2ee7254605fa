# SPDX-License-Identifier: MIT
#
# nix-build -E 'with import <nixpkgs> { }; callPackage ./packaging/nix/autorotate.nix { package = ./autorotate_VERSION_amd64.deb; }'
#
# nixpkgs has no Swift 6 to build with, so this takes the program and all around it from a Debian package (make deb),
# whose only libraries are those below: Swift's own are linked in.
{
  lib,
  stdenv,
  dpkg,
  autoPatchelfHook,
  json_c,
  libiio,
  libwacom,
  libxcb,
  systemdLibs,
  wayland,
  package,
}:

stdenv.mkDerivation {
  pname = "autorotate";
  version = "@VERSION@";
  src = package;

  nativeBuildInputs = [
    autoPatchelfHook
    dpkg
  ];
  buildInputs = [
    json_c
    libxcb
    stdenv.cc.cc.lib
    systemdLibs
    wayland
  ];
  # Loaded when a sensor, or a tablet that may be plugged in, is looked for.
  runtimeDependencies = [
    libiio
    libwacom
  ];

  unpackPhase = ''
    runHook preUnpack
    dpkg-deb -x "$src" .
    runHook postUnpack
  '';

  installPhase = ''
    runHook preInstall
    mkdir -p "$out/etc"
    cp -r usr/bin usr/lib usr/share "$out/"
    cp -r etc/xdg "$out/etc/"
    rm -r "$out/share/lintian" "$out/share/doc/autorotate/changelog.Debian.gz"
    mkdir -p "$out/share/zsh/site-functions"
    mv "$out/share/zsh/vendor-completions/_autorotate" "$out/share/zsh/site-functions/"
    rmdir "$out/share/zsh/vendor-completions"
    grep -rlF /usr/bin/autorotate "$out/lib" "$out/share" "$out/etc" |
      xargs sed -i "s|/usr/bin/autorotate|$out/bin/autorotate|g"
    runHook postInstall
  '';

  meta = {
    description = "Automatic screen rotation for 2-in-1 laptops and tablets";
    license = lib.licenses.mit;
    mainProgram = "autorotate";
    platforms = [ "x86_64-linux" ];
  };
}
