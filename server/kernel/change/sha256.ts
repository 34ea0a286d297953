/** SHA-256 over text. The type is the port; noble's implementation is synchronous in both server and renderer. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 of the text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string

/** SHA-256 in pure JavaScript. A server can pass the platform's implementation, which gives the same digits. */
export const nobleSha256: Sha256 = (text) => bytesToHex(sha256(utf8ToBytes(text)))
