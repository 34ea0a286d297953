// almanac credential promote: makes the staged secrets of a principal the current ones.
import { UsageError } from '../fail.ts'
import { integerOption, textOption } from '../options.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

const defaultHours = 24
const maxHours = 720

export const run: Run = async (call) => {
  const { terminal } = call
  const [credential = '', principal = ''] = call.args
  const user = textOption(call, 'user')
  const graceHours = integerOption(call, 'graceHours') ?? defaultHours
  if (graceHours > maxHours) throw new UsageError(`--grace-hours must be at most ${maxHours}.`)
  await (await call.org()).credentials.promote({ credential, principal, user }, graceHours)
  await terminal.data({ credential, principal, user: user ?? null, graceHours })
  terminal.print(
    `Calls with ${principal} of ${credential} use the new secrets. ${
      graceHours === 0
        ? 'The prior ones were destroyed.'
        : `The prior ones stay valid for what others send for ${countText(graceHours, 'hour')}.`
    }`,
  )
}
