// The lookup field: each fault of the first review, and the tests that fail where it comes back.
import type { ReviewRow } from './review-row.ts'

export const lookup: Record<string, ReviewRow> = {
  D1: {
    fault: 'Back restored a value that nobody had changed and submitted it.',
    tests: [
      [
        'test/e2e/lookup/record.spec.ts',
        'Back restores only what a user changed: an untouched field shows what the server says now',
      ],
    ],
  },
  D2: {
    fault: 'The documented pattern for React with server rendering left the source unset.',
    tests: [
      [
        'test/e2e/lookup/package.spec.ts',
        'React: a page that the server drew searches, clears and sends once it is hydrated',
      ],
      ['test/e2e/lookup/package.spec.ts', "['The React component', 'react/component.tsx']"],
      [
        'test/e2e/lookup/package.spec.ts',
        'React: a page that names the record alone keeps the name and the link of its source',
      ],
      [
        'test/e2e/lookup/package.spec.ts',
        'React: a choice or a clear that the page does not take up is undone',
      ],
    ],
  },
  D3: {
    fault: 'A new value kept the name and link of the old one.',
    tests: [
      [
        'test/e2e/lookup/record.spec.ts',
        'a value of null shows nothing, and a different value has no name or link of the one before',
      ],
    ],
  },
  D4: {
    fault: 'A source that throws was silent.',
    tests: [
      ['test/e2e/lookup/errors.spec.ts', 'the error is in an event and in the console'],
      ['test/e2e/lookup/errors.spec.ts', 'an error that the page takes care of stays out of the console'],
    ],
  },
  D5: {
    fault: 'Long names were cut without a title.',
    tests: [
      ['test/e2e/lookup/list-feel.spec.ts', 'and what is cut then has a title'],
      ['test/e2e/lookup/list-feel.spec.ts', 'a name that does not fit into the box has a title'],
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
    fault: 'A late message was not announced, and smaller faults of the list.',
    tests: [
      [
        'test/e2e/lookup/list-feel.spec.ts',
        'a message that comes later is announced; one that was there from the beginning is not',
      ],
      ['test/e2e/lookup/list-feel.spec.ts', 'a message that the page sets'],
      ['test/e2e/lookup/list-feel.spec.ts', 'every click into the closed box selects the name'],
      ['test/e2e/lookup/interaction.spec.ts', 'what is recent and what is new are options of the source'],
      ['test/e2e/lookup/list-feel.spec.ts', 'while an answer is on its way the list stays as high as it was'],
      [
        'test/e2e/lookup/pending.spec.ts',
        'a row that an arrow went to is what Enter chooses, even before what was typed is searched',
      ],
    ],
  },
  D8: {
    fault: 'The package lacked entries, maps, styles and methods.',
    tests: [
      [
        'test/e2e/lookup/package.spec.ts',
        'a server without elements may import it by its name, and each of its entries',
      ],
      ['test/e2e/lookup/package.spec.ts', 'the sources alone bring no element along'],
      ['test/e2e/lookup/package.spec.ts', 'which imports nothing, with its source map'],
      [
        'test/e2e/lookup/package.spec.ts',
        'a page with an import map uses the files as they are, with no build',
      ],
      ['test/e2e/lookup/package.spec.ts', 'with style.css nothing moves when the element comes in'],
      ['test/e2e/lookup/record.spec.ts', 'setCustomValidity holds a form up, as on any field'],
      [
        'test/e2e/lookup/record.spec.ts',
        'a source that can resolve an id gives the name and the link that the page leaves out',
      ],
      ['test/e2e/lookup/record.spec.ts', 'a field without a label has a name all the same'],
      ['test/spec/lookup-manifest.test.ts', 'describes one element, in the module that is published'],
    ],
  },
}
