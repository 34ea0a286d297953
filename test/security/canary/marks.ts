// Secrets that can be recognised in any form: each contains the same mark, which no other text contains.
import { createECDH, createPrivateKey, randomBytes } from 'node:crypto'

/** Letters and digits, so that no encoding of URLs or JSON changes it. */
export const mark = 'Zq7Canary4'

let made = 0
/** A secret with the mark in its middle, so that its place in an encoding varies. */
export function marked(name: string): string {
  made += 1
  return `${'x'.repeat(made % 3)}${name}${mark}${randomBytes(6).toString('hex')}`
}

/** A key whose secret number contains the mark. In PEM. */
export function markedKey(passphrase?: string): string {
  const secret = Buffer.alloc(32, 1)
  // Within one line of PEM.
  secret.write(`${mark}${randomBytes(4).toString('hex')}`, 14)
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(secret)
  const point = ecdh.getPublicKey()
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: secret.toString('base64url') },
      ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
    },
  })
  const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  return key.export({ type: 'pkcs8', format: 'pem', ...encryption }) as string
}

export interface Needle {
  form: string
  bytes: Buffer
}

/** Each form in which a text can be stored or sent. */
export function needlesOf(text: string): Needle[] {
  const bytes = Buffer.from(text)
  const wide = Buffer.from(text, 'utf16le')
  const forms: [string, string | Buffer][] = [
    ['plain', text],
    ['reversed', [...text].reverse().join('')],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['URL', [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')],
    ['UTF-16', wide],
    ['UTF-16 in JSON', [...text].join('\\u0000')],
    ['numbers', [...bytes].join(',')],
  ]
  for (const [name, content] of [
    ['base64', bytes],
    ['base64 of UTF-16', wide],
  ] as const)
    for (const before of [0, 1, 2]) {
      // Without the characters that depend on the bytes before and after.
      const all = Buffer.concat([Buffer.alloc(before), content]).toString('base64')
      const end = all.length - ((3 - ((before + content.length) % 3)) % 3 === 0 ? 0 : 4)
      const inner = all.slice(before === 0 ? 0 : 4, end)
      forms.push([`${name}, ${before}`, inner])
      if (/[+/]/.test(inner))
        forms.push([`${name} for URLs, ${before}`, inner.replaceAll('+', '-').replaceAll('/', '_')])
    }
  return forms.map(([form, content]) => ({ form, bytes: Buffer.from(content) }))
}
