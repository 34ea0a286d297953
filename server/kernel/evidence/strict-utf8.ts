// Decodes UTF-8 without mercy: a lenient decoder would let two different byte sequences pass for one text.

/** The text of the bytes; null where they are not well-formed UTF-8. A byte order mark stays in the text. */
export function strictUtf8(bytes: Uint8Array): string | null {
  const parts: string[] = []
  try {
    for (let at = 0; at < bytes.length;) {
      const ascii = bytes[at]! < 0x80
      const start = at
      while (at < bytes.length && bytes[at]! < 0x80 === ascii && at - start < 8192) at += 1
      // A long run of other bytes is cut only before a leading byte.
      while (!ascii && at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at += 1
      const run = bytes.subarray(start, at)
      parts.push(ascii ? String.fromCharCode(...run) : decodeURIComponent(escaped(run)))
    }
    return parts.join('')
  } catch {
    return null
  }
}

function escaped(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += `%${byte.toString(16)}`
  return text
}
