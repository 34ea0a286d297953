// Checks what a caller sends to an operation.
import { pointer } from '#kernel/components/pointer.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import type { ExprValue } from '#kernel/expr/index.ts'
import { parseParam, type CallInput, type OperationProgram } from '#kernel/records/index.ts'

export interface SentInput {
  /** By the key of each parameter. */
  params: Readonly<Record<string, unknown>>
  /** YYYY-MM-DD; null if it was not sent. */
  asOf: string | null
}

interface Problem {
  in: 'body'
  /** JSON pointer into the body. */
  path: string
  message: string
}

/** Problems that are listed: a request can have thousands. */
const maxProblems = 20

/** @throws AlmanacError `request.invalid` with each problem, `config.as_of_required` */
export function callInput(operation: OperationProgram, { params, asOf }: SentInput): CallInput {
  const problems: Problem[] = []
  const report = (name: string, message: string): void => {
    problems.push({ in: 'body', path: truncateInput(pointer('params', name)), message })
  }
  const values = new Map<string, ExprValue>()
  for (const param of operation.params) {
    if (!Object.hasOwn(params, param.key)) {
      report(param.key, `${param.key} is missing. Send a ${param.type}, or null if it has no value.`)
      continue
    }
    const parsed = parseParam(param, params[param.key])
    if (parsed.ok) values.set(param.key, parsed.value)
    else report(param.key, parsed.message)
  }
  const known = operation.params.map(({ key }) => key)
  for (const name of Object.keys(params)) {
    if (problems.length >= maxProblems) break
    if (!known.includes(name))
      report(name, `${operation.key} has no parameter "${truncateInput(name)}".${didYouMean(name, known)}`)
  }
  if (problems.length > 0)
    throw new AlmanacError('request.invalid', problems.map(({ message }) => message).join(' '), {
      details: problems,
    })
  if (operation.isDated && asOf === null)
    throw new AlmanacError(
      'config.as_of_required',
      `${operation.key} reads an effective-dated set: add "asOf" as YYYY-MM-DD.`,
    )
  return { params: values, asOf: asOf === null ? null : parseCivilDate(asOf) }
}
