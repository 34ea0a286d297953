// Responses in other charsets than UTF-8.
import { describe, expect, it } from 'vitest'
import { calloutOutcome } from './callout-outcome.ts'
import { redactResponse } from './redact-response.ts'
import { toUtf8 } from './response-charset.ts'

const response = (mediaType: string, body: Uint8Array) => ({
  status: 200,
  headers: { 'content-type': mediaType },
  body,
})
const text = 'Grüße'
const outcome = (mediaType: string, body: Uint8Array) => calloutOutcome(toUtf8(response(mediaType, body)))

describe('a response', () => {
  it.each([
    ['text/plain; charset=iso-8859-1', Buffer.from(text, 'latin1')],
    ['text/plain; Charset="ISO-8859-1"; format=flowed', Buffer.from(text, 'latin1')],
    ['text/plain;charset=utf-16le', Buffer.from(text, 'utf16le')],
    ['text/plain; charset=UTF-8', Buffer.from(text)],
    ['text/plain', Buffer.from(text)],
  ])('of %s is decoded', (mediaType, body) => {
    expect(outcome(mediaType, body)).toEqual({ status: 200, body: JSON.stringify(text) })
  })

  it('of JSON is decoded, and declares UTF-8 then', () => {
    const json = JSON.stringify({ name: text })
    const sent = response('application/json; charset=windows-1252; x=1', Buffer.from(json, 'latin1'))
    expect(calloutOutcome(toUtf8(sent)).body).toBe(json)
    expect(toUtf8(sent).headers['content-type']).toBe('application/json; charset=utf-8; x=1')
  })

  it('is refused if its charset is not known, unless it is not text', () => {
    expect(() => outcome('application/json; charset=latin-99', Buffer.from('{}'))).toThrow(
      'has the charset "latin-99", which is not known. Let the target send UTF-8.',
    )
    expect(outcome('application/pdf; charset=binary', Buffer.from([0xff]))).toEqual({
      status: 200,
      body: null,
    })
  })

  it('has no secret in any charset', () => {
    const redact = (each: string): string => each.replaceAll('s3cret', '***')
    const sent = response('text/plain; charset=utf-16le', Buffer.from('my s3cret', 'utf16le'))
    expect(Buffer.from(redactResponse(toUtf8(sent), redact).body).toString()).toBe('my ***')
  })
})
