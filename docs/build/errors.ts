// docs/reference/errors.md: every error code and every finding code, from the catalogues.
import { errorCatalogue, type ErrorClass, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { errorHelp } from '#kernel/errors/error-help.ts'
import { findingCodes, type FindingCode } from '#kernel/errors/finding-codes.ts'
import { findingHelp } from '#kernel/errors/finding-help.ts'
import { blocks, code, linkTo, plain, table } from './markdown.ts'

export function errorsPage(): string {
  return blocks(
    introduction,
    contents(),
    '## Errors',
    aboutErrors,
    ...errorSections(),
    '## Findings',
    aboutFindings,
    ...findingSections(),
  )
}

const introduction = `# Errors and findings

An **error** refuses a request or a command as a whole. A **finding** is a report on one component; a change list can have many. A
refused change list is an error whose details are findings. Codes are stable: programs should branch on the code, never on the text.`

const aboutErrors = `Over HTTP, an error is a problem document with the status in the table; [HTTP](http.md#errors) describes its members.

On the command line, an error has the exit code 1. It is printed to stderr as its code and a sentence, or with \`--json\` to stdout as the
same document. Only \`server.cannot_start\` has the exit code 2, because it comes from the options of \`serve\`. A usage error, such as
an unknown option, has the exit code 2 and the code \`request.invalid\`.

The same request can succeed later without a change if an error is retriable. \`Retry-After\` contains the seconds to wait, if they are
known.`

const aboutFindings = `A finding has a severity, a code, the component, a JSON pointer into it, and a message. Findings of a directory also have file, line and
column. An \`error\` stops an apply; a \`warning\` or an \`info\` does not. \`almanac validate\` exits with 1 if there is an error.
[Repair findings](../how-to/repair-findings.md) explains the codes that offer repairs.`

const classTitles = {
  validation: 'Validation',
  not_found: 'Not found',
  permission: 'Permission',
  authentication: 'Authentication',
  conflict: 'Conflict',
  limit: 'Limit',
  integration: 'Integration',
  deploy: 'Deploy',
  protocol: 'Protocol',
  internal: 'Internal',
} as const satisfies Record<ErrorClass, string>

type Prefix = FindingCode extends `${infer P}.${string}` ? P : never

const prefixTitles = {
  body: 'Properties of a body',
  envelope: 'Structure of a component',
  key: 'Keys',
  reference: 'References',
  config: 'Configuration sets and entries',
  flag: 'Flags',
  object: 'Objects',
  calc: 'Calc functions',
  automation: 'Automations',
  placement: 'Placed elements',
  permission: 'Permission sets',
  credential: 'Credentials',
  service: 'External services',
  webhook: 'Webhooks',
  channel: 'Event channels',
  client: 'Integration clients',
  component: 'Change lists',
  access: 'Permissions for changes',
  files: 'Files and directories',
  draft: 'Drafts',
  deploy: 'Deployment',
  import: 'Imports',
  repair: 'Repairs',
  expr: 'Expressions in components',
  integrity: 'The check of an org',
} as const satisfies Record<Prefix, string>

function contents(): string {
  const list = (titles: readonly string[]): string => titles.map((title) => linkTo(title)).join(' · ')
  return blocks(
    `${linkTo('Errors')}: ${list(Object.values(classTitles))}`,
    `${linkTo('Findings')}: ${list(Object.values(prefixTitles))}`,
  )
}

function errorSections(): string[] {
  const all = Object.keys(errorCatalogue) as ErrorCode[]
  return (Object.keys(classTitles) as ErrorClass[]).map((errorClass) => {
    const rows = all
      .filter((each) => errorCatalogue[each].class === errorClass)
      .map((each) => {
        const { status, retriable, title } = errorCatalogue[each]
        return [
          code(each),
          String(status),
          retriable ? 'yes' : '',
          `${plain(title)}.<br>${plain(errorHelp[each])}`,
        ]
      })
    return blocks(
      `### ${classTitles[errorClass]}`,
      `The class is ${code(errorClass)}.`,
      table(['code', 'status', 'retriable', 'meaning and what to do'], rows),
    )
  })
}

function findingSections(): string[] {
  const all = Object.keys(findingCodes) as FindingCode[]
  return (Object.keys(prefixTitles) as Prefix[]).map((prefix) => {
    const rows = all
      .filter((each) => each.startsWith(`${prefix}.`))
      .map((each) => {
        const { severities, fix } = findingHelp[each]
        return [code(each), severities.join(' or '), plain(findingCodes[each]), plain(fix)]
      })
    return blocks(`### ${prefixTitles[prefix]}`, table(['code', 'severity', 'meaning', 'what to do'], rows))
  })
}
