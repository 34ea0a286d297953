// almanac resolve: resolves the entry of a set or flag; with --field, prints only the value.
import type { Component } from '#kernel/components/body-types.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { Resolution } from '#kernel/config/index.ts'
import { hasFlag, scopeOption, textOption, integerOption } from '../options.ts'
import type { ResolutionQuery, OrgApi } from '../org-api.ts'
import { tableText } from '../table.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const org = await call.org()
  if (hasFlag(call, 'explain')) return printExplanation(call, org)
  const field = textOption(call, 'field')
  const resolution = await org.resolve(questionOf(call))
  const { set, key, asOf, generation, scope, entry, values } = resolution
  const value = field === undefined ? undefined : await valueOf(org, resolution, field)
  await terminal.data({
    set,
    key,
    asOf,
    generation,
    scope,
    entry,
    values,
    ...(field === undefined ? {} : { field, value }),
  })
  if (terminal.json) return
  if (field !== undefined) return terminal.raw(`${String(value)}\n`)
  terminal.print(resolutionText({ set, key, asOf, generation, scope, entry, values }, call))
}

function questionOf(call: Call): ResolutionQuery {
  const [key, asOf, scope, generation] = [
    textOption(call, 'key'),
    textOption(call, 'asOf'),
    scopeOption(call),
    integerOption(call, 'generation'),
  ]
  return {
    set: call.args[0]!,
    ...(key === undefined ? {} : { key }),
    ...(asOf === undefined ? {} : { asOf }),
    ...(scope === undefined ? {} : { scope }),
    ...(generation === undefined ? {} : { generation }),
  }
}

/** @throws AlmanacError request.invalid if the set has no such field, or the entry omits an optional one */
async function valueOf(
  org: OrgApi,
  { set, entry, values, generation }: Resolution,
  field: string,
): Promise<FieldValue> {
  if (Object.hasOwn(values, field)) return values[field]!
  const [definition] = (await org.components('config_set', set, generation)) as Component[]
  const fields = definition?.type === 'config_set' ? definition.body.fields.map(({ key }) => key) : []
  const message = fields.includes(field)
    ? `The field "${field}" is optional, and the entry ${entry} has no value for it.`
    : `${set} has no field "${field}".${didYouMean(field, [...fields, ...Object.keys(values)])}`
  throw new AlmanacError('request.invalid', message)
}

function resolutionText(
  { set, key, asOf, generation, scope, entry, values }: Resolution,
  { terminal }: Call,
): string {
  const { paint } = terminal
  const name = Object.entries(scope)
    .filter(([property]) => property !== 'kind')
    .map(([, value]) => String(value))
  const head = [set, key, asOf === null ? null : `on ${asOf}`].filter((part) => part !== null).join(' ')
  const rows = Object.entries(values).map(([field, value]) => [field, paint.bold(String(value))])
  return `${head}  ${paint.dim(`${entry} at ${[scope.kind, ...name].join(' ')}, generation ${generation}`)}\n${tableText(terminal, ['field', 'value'], rows)}`
}

/** Prints each step, and the value or error at the end. */
async function printExplanation(call: Call, org: OrgApi): Promise<void> {
  const { terminal } = call
  const { resolution, error, steps } = await org.explain(questionOf(call))
  await terminal.data({ ...(resolution ?? { error }), steps })
  const rows = steps.map(({ scope, entry, matched, reason, deployedBy }) => [
    matched ? terminal.paint.green('✓') : '·',
    scope,
    entry ?? '',
    reason,
    deployedBy == null ? '' : `generation ${deployedBy.generation}, ${deployedBy.actor}`,
  ])
  terminal.print(() => tableText(terminal, ['', 'scope', 'entry', 'why', 'deployed'], rows))
  if (resolution !== null) terminal.print(resolutionText(resolution, call))
  else if (error !== null && !terminal.json) throw new AlmanacError(error.code as ErrorCode, error.detail)
}
