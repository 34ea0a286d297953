// The lines of the output: what was changed, and nothing that was only read.
import { expect, it } from 'vitest'
import { outputWords } from './output-words.ts'

it.each([
  ['PUT', '/setup/v3/drafts/config_entry/vat_rate.de%20x', 'Draft of config_entry/vat_rate.de x saved'],
  ['DELETE', '/setup/v3/drafts/app/shop', 'Draft of app/shop discarded'],
  ['POST', '/metadata/v3/change-requests/1/approve', 'Change request: approve'],
  ['POST', '/setup/v3/remotes/prod/push', 'Remote prod: push'],
  ['POST', '/metadata/v3/plan', null],
  ['PUT', '/setup/v3/workspace', null],
])('%s %s: %s', (method, path, words) => {
  expect(outputWords(method, path)).toBe(words)
})
