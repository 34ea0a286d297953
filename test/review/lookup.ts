// The lookup field: each fault of the first review, and the tests that fail if it comes back.
import type { ReviewRow } from './review-row.ts'

export const lookup: Record<string, ReviewRow> = {
  D1: {
    fault: 'Back restored a value that nobody had changed and submitted it.',
    tests: [
      [
        'test/e2e/lookup/record.spec.ts',
        'Back restores only what a user changed: an untouched field shows what the server sends now',
      ],
    ],
  },
  D2: {
    fault: 'The documented pattern for React with server rendering left the source unset.',
    tests: [
      [
        'test/e2e/lookup/package.spec.ts',
        'React: a page that the server rendered searches, clears and submits once it is hydrated',
      ],
      ['test/e2e/lookup/package.spec.ts', "['The React component', 'react/component.tsx']"],
      [
        'test/e2e/lookup/package.spec.ts',
        'React: a page that sets only the id keeps the name and the link of its source',
      ],
      ['test/e2e/lookup/package.spec.ts', 'React: a choice or a clear that the page ignores is undone'],
    ],
  },
  D3: {
    fault: 'A new value kept the name and link of the old one.',
    tests: [
      [
        'test/e2e/lookup/record.spec.ts',
        'a value of null shows nothing, and a different value has no name or link of the previous one',
      ],
    ],
  },
  D4: {
    fault: 'An error thrown by a source was not shown.',
    tests: [
      ['test/e2e/lookup/errors.spec.ts', 'the error is in an event and in the console'],
      ['test/e2e/lookup/errors.spec.ts', 'an error that the page handles does not reach the console'],
    ],
  },
  D5: {
    fault: 'Long names were cut off without a title.',
    tests: [
      ['test/e2e/lookup/list-feel.spec.ts', 'and has a title if it is truncated'],
      ['test/e2e/lookup/list-feel.spec.ts', 'a name that does not fit in the box has a title'],
    ],
  },
  D6: {
    fault: 'Tab stopped at Clear with the list still open.',
    tests: [
      [
        'test/e2e/lookup/apg.spec.ts',
        'the input is the only tab stop: Tab closes the list and leaves; Alt+Delete does what Clear does',
      ],
    ],
  },
  D7: {
    fault: 'A late message was not announced, and the list had smaller faults.',
    tests: [
      [
        'test/e2e/lookup/list-feel.spec.ts',
        'a message that is set later is announced; an initial one is not',
      ],
      ['test/e2e/lookup/list-feel.spec.ts', 'a message that the page sets'],
      ['test/e2e/lookup/list-feel.spec.ts', 'every click in the closed box selects the name'],
      ['test/e2e/lookup/interaction.spec.ts', 'recent and new records are options of the source'],
      ['test/e2e/lookup/list-feel.spec.ts', 'the list keeps its height while a response is pending'],
      [
        'test/e2e/lookup/pending.spec.ts',
        'a row reached with an arrow is what Enter chooses, even before the query is searched',
      ],
    ],
  },
  D8: {
    fault: 'The package lacked entries, maps, styles and methods.',
    tests: [
      [
        'test/e2e/lookup/package.spec.ts',
        'a server without elements can import it by its name, and each of its entries',
      ],
      ['test/e2e/lookup/package.spec.ts', 'the sources alone do not load an element'],
      ['test/e2e/lookup/package.spec.ts', 'which imports nothing, with its source map'],
      ['test/e2e/lookup/package.spec.ts', 'a page with an import map uses the files without a build'],
      ['test/e2e/lookup/package.spec.ts', 'with style.css nothing moves when the element is loaded'],
      ['test/e2e/lookup/record.spec.ts', 'setCustomValidity blocks a form, as on any field'],
      [
        'test/e2e/lookup/record.spec.ts',
        'a source that can resolve an id provides the name and the link that the page omits',
      ],
      ['test/e2e/lookup/record.spec.ts', 'a field without a label has a name nevertheless'],
      ['test/spec/lookup-manifest.test.ts', 'describes one element, in the module that is published'],
    ],
  },
}
