// almanac requests: lists the change requests, newest first; "requests show <id>" shows one.
import type { ChangeRequestState } from '#kernel/requests/index.ts'
import { UsageError } from '../fail.ts'
import { hasFlag, textOption, integerOption } from '../options.ts'
import { requestsText, requestText } from '../requests-text.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [action = 'list', id] = call.args
  const { requests } = await call.org()
  if (action === 'show') {
    if (id === undefined) throw new UsageError('Specify the change request: requests show <id>.')
    const request = await requests.get(id)
    await terminal.data(request)
    return terminal.print(() => requestText(request, terminal, hasFlag(call, 'all')))
  }
  if (action !== 'list' || id !== undefined)
    throw new UsageError(`"requests" lists them and "requests show <id>" shows one; "${action}" is neither.`)
  const listed = await requests.list(statesOf(call), integerOption(call, 'limit') ?? 20)
  await terminal.data({ requests: listed })
  terminal.print(() => requestsText(listed, terminal))
}

function statesOf(call: Call): ChangeRequestState[] | undefined {
  return textOption(call, 'state')?.split(',') as ChangeRequestState[] | undefined
}
