// The charset that a response declares, by the names of the Encoding Standard.

/** In lower case; null if the media type declares none. */
export function charsetOf(mediaType = ''): string | null {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(mediaType)?.[1]?.toLowerCase() ?? null
}

export const isUtf8Charset = (charset: string | null): boolean =>
  charset === null || charset === 'utf-8' || charset === 'utf8'

/** Null if the charset is not known. */
export function decoderOf(charset: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(charset)
  } catch {
    return null
  }
}
