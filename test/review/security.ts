// Security and robustness: each fault of the first review, and the tests that fail if it comes back.
import type { ReviewRow } from './review-row.ts'

export const security: Record<string, ReviewRow> = {
  B1: {
    fault: 'A draft of a hidden entry could be read, overwritten and deleted.',
    tests: [
      ['test/security/hidden-values.test.ts', 'reveal nothing of hidden values: %s'],
      ['test/security/hidden-values.test.ts', 'see no more than whether it is valid: %s'],
      ['test/http/draft-sight.test.ts', '%s is answered as if the draft did not exist'],
      ['test/http/draft-sight.test.ts', 'no list names or counts it'],
      ['test/house/dependency-rules.test.ts', 'one-door-to-drafts'],
      ['test/security/two-worlds.test.ts', '%s gets the same response from both'],
    ],
  },
  B2: {
    fault: 'A hostile org could write outside the layout of a retrieve.',
    tests: [
      ['test/cli/hostile-org.test.ts', 'a retrieve from a hostile org'],
      ['test/cli/hostile-org.test.ts', 'an import names no path either: %s'],
      ['server/pipeline/directory.test.ts', 'creates no path from anything else'],
      ['server/pipeline/directory.test.ts', 'writes and removes nothing through a link'],
      ['server/pipeline/directory.test.ts', 'names a link and does not follow it'],
    ],
  },
  B3: {
    fault: 'One regular expression held up every reader.',
    tests: [
      ['server/kernel/expr/cost.test.ts', 'is bounded for a compile and an evaluation of %s'],
      [
        'server/kernel/expr/cost.test.ts',
        'is one budget for all constants of a compile, through the functions that it calls',
      ],
      ['server/compose/worker-pool.test.ts', 'ends a call at its deadline and serves the next one'],
    ],
  },
  B4: {
    fault: 'A small compressed body took minutes and gigabytes.',
    tests: [
      ['test/http/budget.test.ts', 'of very many values is refused before they are built'],
      [
        'test/http/budget.test.ts',
        'of many values that are not components has its findings cut off and counted',
      ],
      ['test/http/budget.test.ts', 'to send a list is checked before its body is read'],
      ['test/http/findings-total.test.ts', 'are counted by %s'],
      ['server/http/request-issues.test.ts', 'counts the faults of a long list without an issue for each'],
      ['test/resources/resources.test.ts', '%s delays no other user'],
      ['test/resources/planted.test.ts', 'finds a route that %s'],
      ['test/resources/planted.test.ts', 'finds the worst body of %s'],
      ['test/resources/resources.test.ts', 'every route is measured'],
      ['server/kernel/components/json-extent.test.ts', 'are counted next to the text %j'],
      ['test/storage/listings.test.ts', 'of %i components are read as they were stored'],
      [
        'server/storage/sqlite/migrations/011-discarded-drafts.test.ts',
        'creates a row for each discarded draft',
      ],
    ],
  },
  B5: {
    fault: 'A small spreadsheet ended the process, and a wide CSV held up every reader.',
    tests: [['server/import/table-limits.test.ts', '%s is refused with its limit']],
  },
  B6: {
    fault: 'A full disk left a transaction open, and readiness did not notice.',
    tests: [
      ['test/faults/killed-commands.test.ts', 'includes every command that writes'],
      [
        'server/compose/worker-pool.test.ts',
        'does not end a worker while it starts, which could abort the process',
      ],
      ['server/storage/sqlite/transaction.test.ts', 'is rolled back if %s'],
      [
        'test/faults/full-disk.test.ts',
        'rolls back, reports the cause, and writes again once there is space',
      ],
      [
        'test/faults/full-disk.test.ts',
        'reports it, is not ready, and continues without a restart once there is space',
      ],
      ['test/faults/damaged-disk.test.ts', 'is noticed by the probe of a running server'],
      ['test/faults/damaged-disk.test.ts', 'is noticed in a table that only the probe reads: %s'],
    ],
  },
  B7: {
    fault: "Other users of the machine could read the org's files.",
    tests: [
      ['test/faults/private-files.test.ts', 'are private from their creation'],
      [
        'test/faults/private-files.test.ts',
        'are never open, even for a moment: no mode is changed after the creation (umask %o)',
      ],
      ['test/faults/private-files.test.ts', 'are made private again when the org is opened'],
    ],
  },
  B8: {
    fault: 'The session cookie went to every port, never expired and was not revoked.',
    tests: [
      ['test/http/sessions.test.ts', 'has a cookie that names the port and the org'],
      ['test/http/sessions.test.ts', 'is not valid for a different org, even under the name of its cookie'],
      [
        'test/http/sessions.test.ts',
        'is stored by its hash, listed with its operator, and revoked by signing out',
      ],
      ['test/http/sessions.test.ts', 'ends when the server stops, and a session with a password does not'],
      ['test/http/sessions.test.ts', 'is possible for a different user only with access.manage'],
      [
        'test/http/person-routes.test.ts',
        'the routes that make a password or a token, or view as a user, require a signed-in user',
      ],
      ['test/http/person-routes.test.ts', 'is refused at %s %s'],
      ['server/access/sign-ins.test.ts', 'lasts while it is used, and ends after seven days in any case'],
      [
        'test/cli/serve-open.test.ts',
        'starts the browser with a private file that leads to the link, and removes the file after its use',
      ],
      [
        'test/e2e/sign-in.spec.ts',
        'a private file opens the one-time link in the browser, and signing out ends that session',
      ],
    ],
  },
  B9: {
    fault:
      'Operators approved their own requests under another name, and approvals could be switched off alone.',
    tests: [
      ['test/http/own-approval.test.ts', 'cannot approve their own request under a different name'],
      ['test/http/own-approval.test.ts', 'is named in the audit and in the history of the request'],
      ['test/http/contributors.test.ts', 'records who drafted each change, and they cannot approve it'],
      [
        'test/http/contributors.test.ts',
        'counts the author of a draft whose content was sent instead of the draft',
      ],
      ['test/http/contributors.test.ts', 'counts a user who changed the draft between two others'],
      ['test/http/sessions.test.ts', 'keeps the operator, even for a later sign-in after the link has ended'],
      ['test/http/sessions.test.ts', 'keeps the operator in a token for the password'],
      ['test/http/contributors.test.ts', 'counts them after the draft was discarded, restored and renamed'],
      ['test/http/contributors.test.ts', 'has the writers of an item again if a revision changes it back'],
      ['test/http/contributors.test.ts', 'counts them for what was typed after the draft was applied'],
      ['server/storage/sqlite/migrations/012-writers.test.ts', 'takes writers from authors and items'],
      ['test/http/contributors.test.ts', 'names the operator in the audit, in drafts and in change requests'],
      ['test/http/contributors.test.ts', 'does not approve what the same operator submitted as another user'],
      [
        'test/http/own-approval.test.ts',
        'take effect with the last of the approvals in force, and not before',
      ],
    ],
  },
  B10: {
    fault: 'An apply of all drafts included the drafts of others.',
    tests: [
      [
        'test/http/draft-authors.test.ts',
        'includes own drafts, and names those that it omits with their authors',
      ],
      [
        'test/http/draft-authors.test.ts',
        'includes the draft of another user by name, and states its author and the effect for them',
      ],
      [
        'test/http/draft-authors.test.ts',
        'a draft that another user changed is not applied without a notice to its author',
      ],
      [
        'test/http/draft-sight.test.ts',
        'a draft keeps its first author and names the user who changed it last',
      ],
      ['test/cli/drafts-of-others.test.ts', 'takes them with --drafts all'],
      [
        'test/cli/as-user.test.ts',
        'are discarded only by users who can author, and only those that they can see',
      ],
      ['test/http/contributors.test.ts', 'a draft of another user that is discarded is in the audit'],
      [
        'test/http/contributors.test.ts',
        'a draft of another user that a save or a rename makes equal to the active text is in the audit',
      ],
      ['renderer/text/writer-words.test.ts', 'up to two writers of a draft are named'],
      ['renderer/stores/own-drafts.test.ts', 'own drafts are selected at first, those of others are not'],
    ],
  },
  B11: {
    fault: 'Client rate limits were promised and not enforced.',
    tests: [
      [
        'test/http/rate-limits.test.ts',
        'refuses requests above the burst with the wait, and shows what is left',
      ],
      [
        'test/http/rate-limits.test.ts',
        'refuses more requests at the same time than are declared, and frees their places again',
      ],
      ['test/http/rate-limits.test.ts', 'is part of the OpenAPI document'],
    ],
  },
  B12: {
    fault: 'A row altered in the database was served.',
    tests: [
      ['test/faults/altered-row.test.ts', 'is not served: %s'],
      ['test/faults/altered-row.test.ts', 'is refused by a server, whichever thread met the row'],
      ['test/faults/check.test.ts', 'finds one changed value in each column of each table'],
      ['test/faults/check.test.ts', 'finds nothing in 50 random orgs'],
    ],
  },
  B13: {
    fault: 'Smaller leaks and stalls.',
    tests: [
      [
        'test/http/hidden-hits.test.ts',
        'a search finds visible components behind all the hidden ones, on its first page',
      ],
      ['test/faults/clock-back.test.ts', 'revives no sign-in and no token'],
      ['test/http/budget.test.ts', 'without an end is truncated at the limit, and the connection is closed'],
      ['test/http/remote-peer.test.ts', 'to a remote that sends one byte at a time (%s) ends in time'],
      ['test/http/remote-peer.test.ts', 'to a remote that echoes its request shows no secret'],
      [
        'test/http/invisible-set.test.ts',
        'of retrieved components removes and lists nothing that is hidden, on any route',
      ],
      ['test/http/invisible-set.test.ts', 'shows no label of a hidden set in a review'],
      ['test/security/leak-matrix.test.ts', 'shows nothing that is hidden to %s'],
      ['test/security/two-worlds.test.ts', '%s gets the same response from both'],
      ['server/access/past-visibility.test.ts', "have today's grants under another key"],
      [
        'server/access/past-visibility.test.ts',
        'have their last grants once they are removed, regardless of what uses their key now',
      ],
      [
        'server/pipeline/revert.test.ts',
        'restores removed components with their identity %s, in a set that was renamed since',
      ],
      ['test/security/leak-matrix.test.ts', 'reports a leak that is planted, in a body and in a header'],
      ['renderer/pages/sign-in/back-address.test.ts', 'does not leave the site: %j'],
      ['server/access/password-rules.test.ts', 'that is short or commonly guessed is refused: %s'],
      [
        'test/http/sign-in.test.ts',
        'is slowed down by source address, and locks nobody out elsewhere, however many guesses arrive at once',
      ],
      ['server/access/access.test.ts', 'does not restore the former tokens of a user who is reactivated'],
      ['server/system/address-rule.test.ts', 'NAT64 of loopback'],
      ['test/http/repair-body.test.ts', 'a component that is not an id is refused as such'],
    ],
  },
}
