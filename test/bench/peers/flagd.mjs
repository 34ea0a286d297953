// OpenFeature's flagd, in process: JSON Logic over the context, compiled by its own engine when flags are set.
import { FlagdCore } from '@openfeature/flagd-core'

export const name = '@openfeature/flagd-core'

const quiet = { error() {}, warn() {}, info() {}, debug() {} }

/** The text that an author of flagd flags would write. */
export function definitions(flags) {
  const all = flags.map((flag) => [flag.key, { state: 'ENABLED', ...variantsOf(flag), targeting: targetingOf(flag) }])
  return JSON.stringify({ flags: Object.fromEntries(all) })
}

export async function open(flags, questions) {
  const core = new FlagdCore(undefined, quiet)
  core.setConfigurations(definitions(flags))
  const requests = questions.map(({ key, env, day }) => ({ key, context: { env, day } }))
  return {
    run(out) {
      for (let at = 0; at < requests.length; at += 1) {
        const { key, context } = requests[at]
        out[at] = core.resolveStringEvaluation(key, '', context).value
      }
    },
    async close() {},
  }
}

/** From text to a store that can resolve flags; the store is thrown away. */
export function prepare(text) {
  new FlagdCore(undefined, quiet).setConfigurations(text)
}

function variantsOf({ rows }) {
  return { variants: Object.fromEntries(rows.map(({ value }, at) => [`v${at}`, value])), defaultVariant: 'v0' }
}

/** The narrower scope first; within the open scope the newest range first, so that one comparison decides. */
function targetingOf({ rows }) {
  const branches = []
  rows.forEach(({ env, from, to }, at) => {
    if (env === null) return
    const inRange = [{ '==': [{ var: 'env' }, env] }, { '>=': [{ var: 'day' }, from] }, { '<': [{ var: 'day' }, to] }]
    branches.push({ and: inRange }, `v${at}`)
  })
  const open = rows.map((row, at) => ({ ...row, at })).filter(({ env }) => env === null)
  for (const { from, at } of open.reverse()) branches.push({ '>=': [{ var: 'day' }, from] }, `v${at}`)
  return { if: branches }
}
