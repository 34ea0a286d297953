// Help on calc functions.
import type { ComponentDoc } from '../define.ts'

export const calcFunctionDoc: ComponentDoc = {
  summary: 'A calc function is a named, pure calculation that every expression can call.',
  text: `Use a function where the same calculation stands in several formulas. It sees its parameters and configuration, nothing else; it reads no clock. A dated set that it reads is resolved at the date of the record that calls it.

Its hash enters the binding of every stored result, so that a later change of the function is seen when the result is replayed.`,
  example: {
    params: [
      { key: 'net', type: 'number' },
      { key: 'rate', type: 'number' },
    ],
    returns: 'number',
    expression: 'round(net * (1 + rate), 2)',
  },
}
