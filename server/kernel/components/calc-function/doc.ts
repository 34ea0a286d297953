// Help on calc functions.
import type { ComponentDoc } from '../define.ts'

export const calcFunctionDoc: ComponentDoc = {
  summary: 'A calc function is a named, pure calculation that every expression can call.',
  text: `Use a function if several formulas need the same calculation. It reads only its parameters and configuration, and no clock. A dated set that it reads is resolved at the date of the record that calls it.

Its hash is part of the binding of every stored result, so a later change to the function is detected when the result is replayed.`,
  example: {
    params: [
      { key: 'net', type: 'number' },
      { key: 'rate', type: 'number' },
    ],
    returns: 'number',
    expression: 'round(net * (1 + rate), 2)',
  },
}
