// GrowthBook: rules with conditions over attributes; the first rule that matches forces its value.
import { GrowthBookClient } from '@growthbook/growthbook'

export const name = '@growthbook/growthbook'

export async function open(flags, questions) {
  const client = new GrowthBookClient().initSync({ payload: { features: featuresOf(flags) } })
  const requests = questions.map(({ key, env, day }) => ({ key, user: { attributes: { env, day } } }))
  return {
    run(out) {
      for (let at = 0; at < requests.length; at += 1) {
        const { key, user } = requests[at]
        out[at] = client.getFeatureValue(key, '', user)
      }
    },
    async close() {
      client.destroy()
    },
  }
}

function featuresOf(flags) {
  return Object.fromEntries(flags.map(({ key, rows }) => [key, { defaultValue: '', rules: rulesOf(rows) }]))
}

function rulesOf(rows) {
  const narrow = rows
    .filter(({ env }) => env !== null)
    .map(({ env, from, to, value }) => ({ condition: { env, day: { $gte: from, $lt: to } }, force: value }))
  const open = rows
    .filter(({ env }) => env === null)
    .map(({ from, value }) => ({ condition: { day: { $gte: from } }, force: value }))
  return [...narrow, ...open.reverse()]
}
