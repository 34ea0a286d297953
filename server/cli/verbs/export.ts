// almanac export: the entries of a set as CSV, which import takes back.
import { writeFileSync } from 'node:fs'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { scopeText } from '#kernel/components/scopes.ts'
import { csvLine } from '../csv-line.ts'
import { text, whole } from '../options.ts'
import { count } from '../terminal.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [set = ''] = call.args
  const generation = whole(call, 'generation')
  const org = await call.org()
  const [definition] = (await org.components('config_set', set, generation)) as ComponentOf<'config_set'>[]
  const entries = (await org.components('config_entry', set, generation)) as ComponentOf<'config_entry'>[]
  const fields = definition!.body.fields?.map(({ key }) => key) ?? ['value']
  const head = ['key', 'scope', 'from', 'to', ...fields, 'label', 'entry']
  const rows = entries.map(({ key, label, body }) => [
    body.key ?? '',
    scopeText(body.scope),
    body.effectiveFrom ?? '',
    body.effectiveTo ?? '',
    ...fields.map((field) => String(body.values[field] ?? '')),
    label,
    key,
  ])
  const csv = [head, ...rows].map(csvLine).join('')
  const out = text(call, 'out')
  if (out === undefined) return terminal.raw(csv)
  writeFileSync(out, csv)
  terminal.data({ set, out, entries: entries.length })
  terminal.print(`${count(entries.length, 'entry', 'entries')} of ${set} are in ${out}.`)
}
