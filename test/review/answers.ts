// Resolution, data, errors: each fault of the first review, and the tests that fail if it comes back.
import type { ReviewRow } from './review-row.ts'

export const answers: Record<string, ReviewRow> = {
  A1: {
    fault: 'A plan of an older base was applied over a later change.',
    tests: [
      ['test/cli/plan.test.ts', 'a plan belongs to one base generation, in each form'],
      ['test/http/plan-lineage.test.ts', 'a plan whose base has changed'],
    ],
  },
  A2: {
    fault: 'A component file outside its place was ignored, and `--prune` removed the component.',
    tests: [
      ['test/cli/files.test.ts', 'is reported before anything is pruned'],
      ['server/pipeline/directory.test.ts', 'a misplaced component'],
    ],
  },
  A3: {
    fault: 'A recompute followed a key instead of the component that once had it.',
    tests: [
      ['server/evaluation/identity.test.ts', 'a recompute'],
      ['server/evaluation/identity.test.ts', 'any history of renames, removals, additions and rollbacks'],
    ],
  },
  A4: {
    fault: 'Open-ended rows could not be repaired into a sequence, and one of the overlaps was not reported.',
    tests: [
      [
        'server/kernel/config/range.test.ts',
        'names every range that overlaps its neighbour, open-ended ones too',
      ],
      ['server/kernel/change/repair.test.ts', 'ends each of many open-ended rows where the next begins'],
      [
        'server/kernel/change/repair.test.ts',
        'reports the gaps that ending a row leaves, and closes them by a second choice',
      ],
      ['test/cli/repair-usage.test.ts', 'rows that have only start dates become a sequence'],
      ['test/http/setup.test.ts', 'ends each where the next begins, and reports what is left'],
      ['server/import/import-forms.test.ts', 'are asked about, and each row ends where the next begins'],
    ],
  },
  A5: {
    fault: 'Two components with the same `renamedFrom` were an internal error.',
    tests: [
      ['test/http/renames.test.ts', 'two components renamed from one'],
      ['server/kernel/change/requested-renames.test.ts', 'renames of one change list'],
    ],
  },
  A6: {
    fault: 'A renamed object kept no alias.',
    tests: [
      ['test/http/renames.test.ts', 'a renamed object'],
      ['server/kernel/change/requested-renames.test.ts', 'a renamed object'],
    ],
  },
  A7: {
    fault: 'A filter on a virtual object compiled although its source cannot push it down.',
    tests: [
      ['server/kernel/expr/pushdown.test.ts', 'a filter over a virtual object'],
      ['server/kernel/expr/pushdown.test.ts', 'is validated again when the source changes'],
      ['server/kernel/expr/pushdown.test.ts', 'an order over a virtual object'],
    ],
  },
  A8: {
    fault:
      'An automation assigned values of the wrong type, and a comparison with a text that is not a member compiled.',
    tests: [
      ['server/kernel/expr/enum-members.test.ts', 'a comparison with an enum'],
      ['server/kernel/expr/enum-members.test.ts', 'the value that an action assigns to a field'],
    ],
  },
  A9: {
    fault: 'where-used did not find the members of a value set.',
    tests: [
      ['server/kernel/graph/member-uses.test.ts', 'the uses of a value of a value set'],
      ['server/kernel/graph/member-uses.test.ts', 'a used value that is retired'],
      [
        'test/cli/where-used-value.test.ts',
        'where-used lists the entries and expressions that use one value of a value set',
      ],
      ['test/http/metadata.test.ts', 'list the uses of one value of a value set'],
    ],
  },
  A10: {
    fault: 'Hidden components counted as removed by `--prune` and in a diff.',
    tests: [
      [
        'test/http/invisible-set.test.ts',
        'of retrieved components removes and lists nothing that is hidden, on any route',
      ],
    ],
  },
  A11: {
    fault: 'Renaming an app was refused as a change of a frozen flag.',
    tests: [
      ['test/http/renames.test.ts', 'a frozen flag'],
      [
        'server/kernel/change/candidate.test.ts',
        'accepts a rename of a component that a frozen flag names as no change to the flag',
      ],
    ],
  },
  A12: {
    fault: 'apply did not report the slice budget.',
    tests: [
      ['test/cli/files.test.ts', 'an apply reports the slice budget'],
      ['test/http/metadata.test.ts', 'are applied as one generation, and a second time change nothing'],
    ],
  },
  A13: {
    fault: 'A push to a production org by URL asked for no confirmation.',
    tests: [['test/cli/remotes.test.ts', 'by URL asks for the same confirmation as by key']],
  },
  A14: {
    fault: 'Output to a missing folder, a file or a read-only folder was an internal error.',
    tests: [['test/cli/files.test.ts', 'what cannot be written']],
  },
  A15: {
    fault: 'A diff omitted a new order of fields when something else changed too.',
    tests: [
      [
        'test/http/field-order.test.ts',
        'a change list contains a new order of fields together with a new label',
      ],
      ['server/kernel/change/value-diff.test.ts', 'a new order together with other changes'],
    ],
  },
  A16: {
    fault:
      'A language that is not understood failed a resolve, an unknown app was accepted as a scope, and the token endpoint did not follow its own standard.',
    tests: [
      ['test/http/token-errors.test.ts', 'responds to %s with invalid_request'],
      ['test/http/locale.test.ts', 'unknown parts of Accept-Language are ignored: %s'],
      ['test/http/scope-names.test.ts', 'refuses a scope of %j'],
    ],
  },
  A17: {
    fault: 'Messages did not fit the case.',
    tests: [
      [
        'test/http/scope-names.test.ts',
        'refuses a language that is not valid, and an unknown kind with the list of known kinds',
      ],
      ['test/http/scope-names.test.ts', 'a limit that is too high is refused with its maximum'],
      ['server/kernel/components/config-entry/rules.test.ts', 'keyed by an inactive value'],
      [
        'server/kernel/components/parse.test.ts',
        'a JSON number is refused with what each type of field accepts',
      ],
      ['server/http/request-issues.test.ts', 'explains for %j what is wrong at %s'],
      ['server/import/import-table.test.ts', 'refuses a map that does not fit, naming the column'],
    ],
  },
  A18: {
    fault: 'A rollback ignored the rationale, and its errors came after the approval.',
    tests: [
      ['server/pipeline/revert.test.ts', 'restored flags'],
      [
        'server/kernel/components/feature-flag/rules.test.ts',
        'cannot be extended with a rationale that it ever had before',
      ],
      [
        'test/http/revert.test.ts',
        'an extended flag without a rationale is refused before approval is requested',
      ],
      [
        'test/http/revert.test.ts',
        'the rationale applies to the flags that a list extends, in a request too',
      ],
    ],
  },
  A19: {
    fault: 'A machine without a Chromium failed every browser test.',
    tests: [['test/house/ensure-chromium.test.ts', 'ensureChromium']],
  },
}
