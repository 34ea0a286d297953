// Decompresses the body of a response, up to a size.
import { promisify } from 'node:util'
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
  type BrotliOptions,
  type InputType,
  type ZlibOptions,
  type ZstdOptions,
} from 'node:zlib'

/** The result is `too_large`, or `damaged` if the bytes are not what the header declares. */
export type Decompressed = Buffer | 'too_large' | 'damaged'

type Decoder = (body: Buffer, options: ZlibOptions & BrotliOptions & ZstdOptions) => Promise<Buffer>

const gzip: Decoder = promisify<InputType, ZlibOptions, Buffer>(gunzip)
const zlib = promisify<InputType, ZlibOptions, Buffer>(inflate)
const rawDeflate = promisify<InputType, ZlibOptions, Buffer>(inflateRaw)
const zstd = promisify<InputType, ZstdOptions, Buffer>(zstdDecompress)
/** HTTP limits the window of zstd to 8 MB (RFC 9659), and so the memory. */
const zstdWindow = { [constants.ZSTD_d_windowLogMax]: 23 }

const decoders: Readonly<Record<string, Decoder>> = {
  gzip,
  'x-gzip': gzip,
  // Some servers send deflate without the header of zlib.
  deflate: (body, options) => ((body[0]! & 0x0f) === 8 ? zlib(body, options) : rawDeflate(body, options)),
  br: promisify<InputType, BrotliOptions, Buffer>(brotliDecompress),
  zstd: (body, options) => zstd(body, { ...options, params: zstdWindow }),
}

/** A response that was compressed more often than this is not meant to be read. */
const maxLayers = 2

export const acceptedEncodings = 'gzip, deflate, br, zstd'

/** @param encoding the header Content-Encoding */
export async function decompress(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Decompressed> {
  const layers = (encoding ?? '')
    .split(',')
    .map((layer) => layer.trim().toLowerCase())
    .filter((layer) => layer !== '' && layer !== 'identity')
  if (body.length === 0 || layers.length === 0) return body
  if (layers.length > maxLayers) return 'damaged'
  let bytes = body
  for (const layer of layers.reverse()) {
    const decoder = decoders[layer]
    if (decoder === undefined) return 'damaged'
    try {
      bytes = await decoder(bytes, { maxOutputLength: maxBytes })
    } catch (error) {
      return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'damaged'
    }
  }
  return bytes
}
