// Unleash's Node SDK, bootstrapped and without a server: strategies with constraints, each with its variant.
import { InMemStorageProvider, Unleash } from 'unleash-client'

export const name = 'unleash-client'

export async function open(flags, questions) {
  const client = new Unleash({
    appName: 'bench',
    url: 'http://127.0.0.1:9/',
    refreshInterval: 0,
    disableMetrics: true,
    bootstrap: { data: flags.map(featureOf) },
    storageProvider: new InMemStorageProvider(),
    skipInstanceCountWarning: true,
  })
  client.on('error', () => undefined)
  client.on('warn', () => undefined)
  await new Promise((resolve) => client.once('ready', resolve))
  const requests = questions.map(({ key, env, day }) => ({ key, context: { properties: { env, day: String(day) } } }))
  return {
    run(out) {
      for (let at = 0; at < requests.length; at += 1) {
        const { key, context } = requests[at]
        out[at] = client.getVariant(key, context).payload?.value
      }
    },
    async close() {
      client.destroy()
    },
  }
}

function featureOf({ key, rows }) {
  const narrow = rows
    .filter(({ env }) => env !== null)
    .map(({ env, from, to, value }) =>
      strategy(key, value, [is('env', 'IN', [env]), than('NUM_GTE', from), than('NUM_LT', to)]),
    )
  const open = rows
    .filter(({ env }) => env === null)
    .map(({ from, value }) => strategy(key, value, [than('NUM_GTE', from)]))
  return { name: key, type: 'release', enabled: true, variants: [], strategies: [...narrow, ...open.reverse()] }
}

function strategy(key, value, constraints) {
  const variants = [{ name: value, weight: 1000, stickiness: 'default', payload: { type: 'string', value } }]
  return { name: 'default', parameters: {}, constraints, variants }
}

function is(contextName, operator, values) {
  return { contextName, operator, values, inverted: false, caseInsensitive: false }
}

function than(operator, day) {
  return { contextName: 'day', operator, value: String(day), values: [], inverted: false, caseInsensitive: false }
}
