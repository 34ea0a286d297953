// The lookup field: each fault of the first review, and the tests that fail where it comes back.
import type { ReviewRow } from './review-row.ts'

export const lookup: Record<string, ReviewRow> = {
  D1: {
    fault: 'Back restored a value that nobody had changed and submitted it.',
    tests: [],
  },
  D2: {
    fault: 'The documented pattern for React with server rendering left the source unset.',
    tests: [],
  },
  D3: {
    fault: 'A new value kept the name and link of the old one.',
    tests: [],
  },
  D4: {
    fault: 'A source that throws was silent.',
    tests: [],
  },
  D5: {
    fault: 'Long names were cut without a title.',
    tests: [],
  },
  D6: {
    fault: 'Tab stopped at Clear with the list still open.',
    tests: [],
  },
  D7: {
    fault: 'A late message was not announced, and smaller faults of the list.',
    tests: [],
  },
  D8: {
    fault: 'The package lacked entries, maps, styles and methods.',
    tests: [],
  },
}
