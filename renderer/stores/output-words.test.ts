// What the output tells: what was done, and nothing of what was only asked.
import { expect, it } from 'vitest'
import { outputWords } from './output-words.ts'

it.each([
  ['PUT', '/setup/v3/drafts/config_entry/vat_rate.de%20x', 'Draft of config_entry/vat_rate.de x kept'],
  ['DELETE', '/setup/v3/drafts/app/shop', 'Draft of app/shop dropped'],
  ['POST', '/metadata/v3/change-requests/1/approve', 'Change request: approve'],
  ['POST', '/setup/v3/remotes/prod/push', 'Remote prod: push'],
  ['POST', '/metadata/v3/plan', null],
  ['PUT', '/setup/v3/workspace', null],
])('%s %s: %s', (method, path, words) => {
  expect(outputWords(method, path)).toBe(words)
})
