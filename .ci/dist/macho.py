"""What a Mac asks of a binary before it runs it, as far as another machine can see it in the file."""

import hashlib
import struct

ARM64, SIGNATURE, DYLIBS, VERSION = 0x0100000C, 0x1D, {0xC, 0x80000018}, 0x32


def commands(content):
    """The load commands, each with its number."""
    magic, processor, _, kind, count = struct.unpack_from("<5I", content)
    assert (magic, processor, kind) == (0xFEEDFACF, ARM64, 2), "it is no program for arm64"
    at = 32
    for _ in range(count):
        number, size = struct.unpack_from("<2I", content, at)
        yield number, content[at : at + size]
        at += size


def check(content, oldest, libraries):
    """The binary runs on the oldest system, links these libraries alone, and is signed by its linker."""
    signed, linked, systems = False, set(), []
    for number, command in commands(content):
        if number in DYLIBS:
            (begin,) = struct.unpack_from("<I", command, 8)
            linked.add(command[begin:].rstrip(b"\0").decode())
        elif number == VERSION:
            platform, version = struct.unpack_from("<2I", command, 8)
            systems.append((platform, version >> 16, version >> 8 & 0xFF))
        elif number == SIGNATURE:
            at, size = struct.unpack_from("<2I", command, 8)
            hashes_match(content, content[at : at + size])
            signed = True
    assert signed, "it has no signature, without which no Mac with arm64 runs it"
    assert systems == [(1, *oldest)], f"it is for {systems}"
    assert linked <= libraries, f"it links {linked - libraries}"


def hashes_match(content, signature):
    """Each page has the digest that the code directory names."""
    magic, _, count = struct.unpack_from(">3I", signature)
    assert magic == 0xFADE0CC0, "its signature is none"
    for index in range(count):
        slot, at = struct.unpack_from(">2I", signature, 12 + 8 * index)
        if slot == 0:
            break
    else:
        raise AssertionError("its signature has no code directory")
    hashes, _, _, pages, limit = struct.unpack_from(">5I", signature, at + 16)
    size, kind, _, page = struct.unpack_from("4B", signature, at + 36)
    assert (size, kind) == (32, 2), "its digests are not SHA-256"
    for index in range(pages):
        part = content[index << page : min(index + 1 << page, limit)]
        wanted = signature[at + hashes + 32 * index :][:32]
        assert hashlib.sha256(part).digest() == wanted, f"its page {index} was changed after it was signed"
    assert pages << page >= limit > len(content) - len(signature) - (1 << page), "a part is not signed"
