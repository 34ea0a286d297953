// Decodes UTF-8 strictly: a lenient decoder would accept two different byte sequences for one text.

/** Returns the text of the bytes; null if they are not well-formed UTF-8. A byte order mark stays in the text. */
export function decodeStrictUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = []
  try {
    for (let at = 0; at < bytes.length;) {
      const ascii = bytes[at]! < 0x80
      const start = at
      while (at < bytes.length && bytes[at]! < 0x80 === ascii && at - start < 8192) at += 1
      // A long run of non-ASCII bytes is cut only before a leading byte.
      while (!ascii && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at += 1
      const run = bytes.subarray(start, at)
      parts.push(ascii ? String.fromCharCode(...run) : decodeURIComponent(escapeBytes(run)))
    }
    return parts.join('')
  } catch {
    return null
  }
}

function escapeBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += `%${byte.toString(16)}`
  return text
}
