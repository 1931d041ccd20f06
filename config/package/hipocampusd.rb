# A formula for a Homebrew tap: `brew install --HEAD`. At a release, `url` and `sha256` of its archive go below `homepage`.
class Hipocampusd < Formula
  desc "Keeps an AI agent's memory in order"
  homepage "https://github.com/hipocampus/hipocampusd"
  license "MIT"
  head "https://github.com/hipocampus/hipocampusd.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
  end

  test do
    (testpath/"agent/memory/2026-01-05.md").write("## Shelf [project]\n- decisions: oak\n")
    system bin/"hipocampusd", "compact", testpath/"agent", "--all", "--no-index"
    assert_match "Shelf", (testpath/"agent/memory/ROOT.md").read
  end
end
