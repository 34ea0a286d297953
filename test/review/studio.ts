// The studio as its users met it: each fault of the first review, and the tests that fail if it comes back.
import type { ReviewRow } from './review-row.ts'

export const studio: Record<string, ReviewRow> = {
  C1: {
    fault: 'A double-click edited the wrong row.',
    tests: [
      [
        'test/e2e/at-hand.spec.ts',
        'a row that does not match the filter stays in place after it is saved as a draft',
      ],
      [
        'test/e2e/sheet-hits.spec.ts',
        'a double-click, a drag and a key press hit what was under the pointer, in random trials',
      ],
      ['test/e2e/sheet-hits.spec.ts', 'the sheet stays in place for any selected row'],
    ],
  },
  C2: {
    fault: 'A new value for another key kept the values of the first.',
    tests: [
      [
        'test/e2e/entries.spec.ts',
        'a new value of another key starts with the values of that key, and shows old and new',
      ],
      ['renderer/pages/component/new-value.test.ts', 'new values of many keys'],
    ],
  },
  C3: {
    fault: 'A new set took no entries before it was applied.',
    tests: [
      ['test/http/entry-sheet.test.ts', 'are empty, without an error, for a set that is only a draft'],
      ['test/http/import.test.ts', 'accepts a file next to its definition, which stays as typed'],
      [
        'test/e2e/past-days.spec.ts',
        'a set that is only a draft accepts entries, and both are applied with one change list',
      ],
    ],
  },
  C4: {
    fault: 'A rollback showed no difference, and no change could be reverted.',
    tests: [
      [
        'test/http/revert.test.ts',
        'a revert is planned like any change list, and applied as it was reviewed',
      ],
      ['test/http/revert.test.ts', 'a component that changed since is a conflict with three versions'],
      ['test/e2e/revert.spec.ts', 'a generation is restored after a review of everything that it undoes'],
      [
        'test/e2e/revert.spec.ts',
        'a component that changed again is shown in three versions, and one change is saved as a draft',
      ],
    ],
  },
  C5: {
    fault: 'Approvers saw no impact, and nothing showed that a request waits for them.',
    tests: [
      [
        'test/e2e/at-hand.spec.ts',
        'the list of changes shows its author who rejected it and why, and it can be submitted again',
      ],
      [
        'test/e2e/revert.spec.ts',
        'a rate of next January is submitted, approved with its impact in view, applied and reverted',
      ],
    ],
  },
  C6: {
    fault: 'The audit could not be searched by part, name or date, nor exported.',
    tests: [
      ['test/http/audit.test.ts', 'the audit'],
      ['renderer/pages/audit/audit-filter.test.ts', 'From is after To'],
      ['test/http/audit.test.ts', 'an export of the audit'],
      [
        'test/e2e/revert.spec.ts',
        'the audit is searched by words and days, its filter is in the URL, and it is exported',
      ],
    ],
  },
  C7: {
    fault: 'A change of the past was not marked, and undo acted on the wrong page.',
    tests: [
      ['server/kernel/config/past-days.test.ts', 'days before today that a change affects'],
      ['test/http/entry-sheet.test.ts', 'count the stored results that bind the set'],
      [
        'test/e2e/past-days.spec.ts',
        'a change to past days is marked in sheet, timeline, dialog and change list, with the stored results',
      ],
      [
        'test/e2e/past-days.spec.ts',
        'Ctrl+Z in the filter undoes a drag that was done after the filter was typed',
      ],
    ],
  },
  C8: {
    fault: 'Equal texts were a conflict, and a lost edit was not reported.',
    tests: [
      [
        'renderer/pages/component/sheet/sheet.test.ts',
        'has no conflict when a draft was applied while more was typed into its row',
      ],
      [
        'renderer/pages/component/sheet/sheet.test.ts',
        'reports an edit that another user overwrote, with both values, and none that was applied',
      ],
      [
        'renderer/pages/component/sheet/sheet.test.ts',
        "reports what another user changed in a row of the user's own draft, and names the writer",
      ],
      [
        'test/e2e/together.spec.ts',
        'an edit that another user overwrites is reported with the name and both values, and is restored',
      ],
      [
        'test/e2e/together.spec.ts',
        'an apply leaves no conflict in an open sheet, and a discarded row of another user disappears',
      ],
    ],
  },
  C9: {
    fault: "The import could not skip a title line, read the file's dates or notice a factor of 100.",
    tests: [
      [
        'test/e2e/import.spec.ts',
        'a Latin-1 file with a title line, semicolons and German dates is imported',
      ],
      ['test/e2e/import.spec.ts', 'another line can be chosen as the header, or none'],
      ['server/import/import-forms.test.ts', 'is found below title lines, which do not count as rows'],
      ['server/import/import-forms.test.ts', 'an empty line is not a row, regardless of its delimiters'],
      ['server/import/import-forms.test.ts', 'a row with three errors is one row that is not imported'],
      [
        'server/import/import-forms.test.ts',
        'a forgotten percent sign is one warning that explains how to correct the column',
      ],
    ],
  },
  C10: {
    fault: 'A filter gave other rows after a reload and did not find labels of keys.',
    tests: [
      [
        'renderer/pages/component/sheet/arrange.test.ts',
        'find the label that is shown next to a key, before and after the labels are loaded',
      ],
      ['renderer/pages/component/sheet/arrange.test.ts', 'find nothing in a column that is hidden'],
    ],
  },
  C11: {
    fault: 'The review cut off the part that differs.',
    tests: [
      ['server/kernel/change/change-description.test.ts', 'words of a change'],
      ['server/kernel/change/excerpt.test.ts', 'two long texts'],
      [
        'renderer/pages/changes/change-place.test.ts',
        'shows a whole entry in the labels of its form, with dates as people write them',
      ],
      ['test/e2e/rename-drafts.spec.ts', 'an edited entry shows who drafted it under its new key'],
    ],
  },
  C12: {
    fault: 'Forms complained in JSON and too early, and contradicted themselves.',
    tests: [
      ['test/e2e/form-words.spec.ts', 'a new component shows no faults before anything is typed'],
      [
        'test/e2e/form-words.spec.ts',
        'a change of type removes the old size, and the form names the missing date',
      ],
      ['renderer/text/form-words.test.ts', 'describes %s with its own labels'],
      ['renderer/widgets/dependent-fields.test.ts', 'is removed with the type and restored with it'],
      ['test/e2e/form-words.spec.ts', 'a value without an active property counts and is shown as active'],
      ['renderer/widgets/field-attention.test.ts', 'the findings that a form shows'],
      ['renderer/pages/component/flag-days.test.ts', 'the days of a flag'],
      ['test/house/review-words.test.ts', 'do not ask a form to write JSON'],
    ],
  },
  C13: {
    fault: 'Form and JSON could not be shown alone, and dates had no picker.',
    tests: [
      [
        'test/e2e/layouts.spec.ts',
        'a component is shown as form, as form and JSON, or as JSON, and the choice is remembered',
      ],
      [
        'test/e2e/layouts.spec.ts',
        'a date is typed as people write it, or picked in the calendar with keys alone',
      ],
      ['renderer/text/typed-date.test.ts', 'a date as people write it'],
      [
        'test/e2e/layouts.spec.ts',
        'a form over incomplete JSON links to the JSON, which is not shown next to it',
      ],
      [
        'test/e2e/layouts.spec.ts',
        'the form of an entry shows and accepts its last day; its JSON has the day after',
      ],
      [
        'renderer/pages/component/sheet/paste.test.ts',
        'reads ambiguous days in the order that the user chose, unless their column decides',
      ],
      ['test/e2e/layouts.spec.ts', 'an open list of references shows what was applied in the meantime'],
    ],
  },
  C14: {
    fault: 'Smaller faults of the frame.',
    tests: [
      [
        'test/e2e/home.spec.ts',
        'at 390 px the explorer is folded, opens over the page, and nothing is wider than the window',
      ],
      [
        'test/e2e/sent-lists.spec.ts',
        'a submitted list is not submitted again, and a second window is shown the first request',
      ],
      ['test/e2e/sent-lists.spec.ts', 'the report of an apply disappears when the next list begins'],
      ['test/e2e/keyboard.spec.ts', 'a question mark is text in a cell, and Escape and Tab leave the sheet'],
      [
        'test/e2e/frame.spec.ts',
        'a visited page is a preview, which the next one replaces, until a double-click or an edit keeps it',
      ],
      ['renderer/stores/tabs.test.ts', 'is replaced by the next one, in its place, until it is pinned'],
      ['test/e2e/axe.spec.ts', 'axe finds nothing on any page, and every control has a name'],
      ['test/e2e/labels.spec.ts', 'a placeholder does not look like a value'],
    ],
  },
  C15: {
    fault: 'The start page taught little.',
    tests: [
      [
        'test/e2e/home.spec.ts',
        'shows what takes effect, what waits and what was applied, each with a link to its place',
      ],
      [
        'test/e2e/home.spec.ts',
        'first tasks are checked off as they are done, and can be hidden permanently',
      ],
      ['test/http/home.test.ts', 'shows what takes effect within the requested number of days'],
      ['test/http/home.test.ts', 'shows what was applied, own drafts and those that are outdated'],
      ['server/kernel/config/upcoming.test.ts', 'shows a row that begins, with what it replaces'],
    ],
  },
  C16: {
    fault: 'People could not be managed, and a draft could not be discarded from Changes.',
    tests: [
      ['test/e2e/at-hand.spec.ts', 'the selection moves next to a draft that is discarded, never to the top'],
      [
        'test/e2e/people.spec.ts',
        'a user is added, put in a group, signs in by a one-time link, and sees what the page described',
      ],
      [
        'test/e2e/people.spec.ts',
        'a password is set, a user is deactivated and reactivated, and the last manager stays',
      ],
      [
        'test/e2e/people.spec.ts',
        'the second of two users who edit a user is shown who was first, and what was typed stays',
      ],
      ['test/e2e/people.spec.ts', 'an invitation is shown with its creator, and is revoked'],
      ['test/e2e/people.spec.ts', 'pressing Enter twice adds a group once'],
      [
        'test/e2e/people.spec.ts',
        'a group is deleted after the page shows what its members lose, and the page follows others',
      ],
      [
        'test/http/people.test.ts',
        'leaves its members the permissions that they hold without it, and is in the audit with each of them',
      ],
      [
        'test/http/people.test.ts',
        'is not deleted if no user could change permissions afterwards, and nothing is half done',
      ],
      ['test/http/events.test.ts', 'report users and groups that changed, even by another process'],
      ['test/http/people.test.ts', 'groups'],
      ['test/http/people.test.ts', 'a one-time link'],
      [
        'test/http/people.test.ts',
        'is listed without its secret, and works only while the creator can invite',
      ],
      ['test/http/people.test.ts', 'does not work again if its creator was deactivated in the meantime'],
      ['test/http/people.test.ts', 'is revoked, which is in the audit, and then does not exist'],
      [
        'test/cli/user-set.test.ts',
        'a group gives its permission sets to its members, and access shows the source',
      ],
      [
        'test/e2e/discard.spec.ts',
        'one draft, the selected ones or all own ones are discarded, and restored exactly, even after a reload',
      ],
      ['test/e2e/discard.spec.ts', 'the draft of another user is discarded only after a confirmation'],
      [
        'test/http/discarded-drafts.test.ts',
        'only own drafts are discarded, and restored with text, version, author and time',
      ],
    ],
  },
}
