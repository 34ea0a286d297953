// What a preset changes in a body, and which preset a body has.
import { expect, it } from 'vitest'
import { formOf } from '#kernel/components/forms.ts'
import { presetChanges, presetOf } from './preset-changes.ts'

const presets = formOf('webhook_endpoint').presets!
const preset = (key: string) => presets.find((each) => each.key === key)!
const filled = (body: Record<string, unknown>, key: string): Record<string, unknown> => ({
  ...body,
  ...Object.fromEntries(
    presetChanges(body as never, presets, preset(key)).map(({ path, value }) => [String(path[0]), value]),
  ),
})

it('fills in a preset and keeps what no preset sets', () => {
  const body = filled({ path: '/hooks/a', verification: { externalCredential: 'secret' } }, 'slack')
  expect(body).toMatchObject({
    path: '/hooks/a',
    verification: { externalCredential: 'secret', challenge: '/challenge', secretEncoding: 'utf8' },
    dedupe: { idHeader: 'body:/event_id' },
  })
  expect(presetOf(body as never, presets)?.key).toBe('slack')
})

it('removes what only the preset before had', () => {
  const body = filled(filled({ verification: { externalCredential: 'secret' } }, 'slack'), 'github')
  expect(Object.keys(body['verification'] as object).sort()).toEqual(
    [
      'externalCredential',
      'scheme',
      'secretEncoding',
      'signatureHeader',
      'signedPayload',
      'toleranceSec',
    ].sort(),
  )
  expect(presetOf(body as never, presets)?.key).toBe('github')
  expect(presetOf({ ...body, dedupe: {} } as never, presets)).toBeUndefined()
})
