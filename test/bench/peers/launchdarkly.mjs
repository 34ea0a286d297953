// LaunchDarkly's server SDK with its test data source, offline: rules with clauses over context attributes.
import { init, integrations } from '@launchdarkly/node-server-sdk'

export const name = '@launchdarkly/node-server-sdk'

const quiet = { error() {}, warn() {}, info() {}, debug() {} }

export async function open(flags, questions) {
  const data = new integrations.TestData()
  for (const flag of flags) await data.usePreconfiguredFlag(flagOf(flag))
  const client = init('offline', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: quiet,
  })
  await client.waitForInitialization({ timeout: 10 })
  const requests = questions.map(({ key, env, day }) => ({ key, context: { kind: 'user', key: 'one', env, day } }))
  return {
    async run(out) {
      for (let at = 0; at < requests.length; at += 1) {
        const { key, context } = requests[at]
        out[at] = await client.variation(key, context, '')
      }
    },
    async close() {
      client.close()
    },
  }
}

function flagOf({ key, rows }) {
  const indexed = rows.map((row, variation) => ({ ...row, variation }))
  const narrow = indexed.filter(({ env }) => env !== null)
  const open = indexed.filter(({ env }) => env === null).reverse()
  const rules = [
    ...narrow.map(({ env, from, to, variation }) => ({
      variation,
      clauses: [clause('env', 'in', env), clause('day', 'greaterThanOrEqual', from), clause('day', 'lessThan', to)],
    })),
    ...open.map(({ from, variation }) => ({ variation, clauses: [clause('day', 'greaterThanOrEqual', from)] })),
  ]
  return {
    key,
    on: true,
    version: 1,
    variations: rows.map(({ value }) => value),
    rules: rules.map((rule, at) => ({ id: `r${at}`, ...rule })),
    fallthrough: { variation: 0 },
    offVariation: 0,
    targets: [],
    prerequisites: [],
    salt: 'salt',
  }
}

function clause(attribute, op, value) {
  return { contextKind: 'user', attribute, op, values: [value], negate: false }
}
