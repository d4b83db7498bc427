"""Bundles taken apart and packed again, as a forger does."""

import io
import json
import zipfile
from hashlib import sha256
from pathlib import Path


def members(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(file: Path, files: dict[str, bytes], *, anew: bool = True) -> Path:
    """Pack files again; `anew`: as a forger does who also writes the hashes anew."""
    files = dict(files)
    if anew:
        about = json.loads(files["bundle.json"])
        others = {name for name in files if name != "bundle.json"}
        about["files"] = {name: sha256(files[name]).hexdigest() for name in others}
        files["bundle.json"] = json.dumps(about).encode()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    file.write_bytes(content.getvalue())
    return file
