// The table of verification against the kernel, and the documented examples of senders.
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { webhookEndpointBody } from '../../server/kernel/components/webhook-endpoint/body.ts'
import { secretBytes, verifyDelivery, type VerifyingSecret } from '../../server/kernel/webhooks/index.ts'
import { presetBody, secretText, signedRequest } from './webhook-ground.ts'
import { webhookCases, type Preset } from './webhooks.table.ts'

const hmac = (secret: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array =>
  createHmac('sha256', secret).update(Buffer.concat(pieces)).digest()

function endpointOf(preset: Preset) {
  const { verification, dedupe } = presetBody(preset)
  return webhookEndpointBody.parse({
    ...{ path: '/hooks/a', runAs: 'hooks', dispatch: { publishTo: 'a' }, dedupe },
    verification: { ...verification, externalCredential: 'a' },
  })
}

function secretsOf(preset: Preset): VerifyingSecret[] {
  const { secretEncoding = 'utf8' } = endpointOf(preset).verification
  // The receiver leaves out a prior one whose grace has ended.
  return (['current', 'next', 'prior'] as const).map((kind) => ({
    kind,
    bytes: secretBytes(secretText(preset, kind), secretEncoding)!,
  }))
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe('verification', () => {
  it.each(webhookCases.map((each) => [`${each.preset}: ${each.name}`, each] as const))(
    '%s',
    (_name, each) => {
      const now = 1_800_000_000
      const { headers, body } = signedRequest(each, now, 'msg_1')
      const verified = verifyDelivery(
        endpointOf(each.preset),
        { headers: lowerCased(headers), body: Buffer.from(body) },
        { secrets: secretsOf(each.preset), now: now * 1000, hmac },
      )
      expect({
        result: verified.result,
        failed: verified.steps.find(({ isPassed }) => !isPassed)?.step,
      }).toEqual({ result: each.result, failed: each.failed })
      const shown = JSON.stringify(verified.steps)
      const expected = createHmac('sha256', 'current-secret-current-secret-32').update(body).digest('hex')
      expect(shown).not.toContain(expected)
      expect(shown).not.toContain('secret-current')
    },
  )
})

describe('documented examples', () => {
  const verify = (preset: Preset, secret: string, now: number, headers: object, body: string) => {
    const { secretEncoding = 'utf8' } = endpointOf(preset).verification
    return verifyDelivery(
      endpointOf(preset),
      { headers: headers as Record<string, string>, body: Buffer.from(body) },
      { secrets: [{ kind: 'current', bytes: secretBytes(secret, secretEncoding)! }], now: now * 1000, hmac },
    ).result
  }
  it('of Slack', () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const headers = {
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      'x-slack-request-timestamp': '1531420618',
    }
    expect(verify('slack', '8f742231b10e8888abcd99yyyzzz85a5', 1531420618, headers, body)).toBe('verified')
  })
  it('of Standard Webhooks', () => {
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    expect(verify('standard_webhooks', secret, 1614265330, headers, '{"test": 2432232314}')).toBe('verified')
  })
  it('of GitHub', () => {
    const headers = {
      'x-github-delivery': '1',
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    }
    expect(verify('github', "It's a Secret to Everybody", 0, headers, 'Hello, World!')).toBe('verified')
  })
})
