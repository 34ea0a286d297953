// What docs/reference/command-line.md adds to the usage of each command: examples, where it works, special exit codes.

export interface CommandNote {
  examples: readonly string[]
  /** What it needs instead of a folder or an address. */
  needs?: 'folder' | 'nothing'
  /** Exit codes besides 0, 1 for failure and 2 for a usage error, or a special meaning of 1. */
  exits?: string
}

const folder = (...examples: string[]): CommandNote => ({ examples, needs: 'folder' })
const anywhere = (...examples: string[]): CommandNote => ({ examples })

const reviewExits =
  'With `--dry-run`: 3 if there are changes, 1 if they have errors or permissions are missing.'

/** A command without a note, and a note without a command, are refused when the page is generated. */
export const commandNotes: Readonly<Record<string, CommandNote>> = {
  init: {
    examples: [
      'almanac init tour --sample',
      'almanac init /srv/almanac --name "Kestrel Optics" --environment prod',
    ],
    needs: 'nothing',
  },
  serve: {
    ...folder(
      'almanac serve --org tour --studio --open',
      'almanac serve --org /srv/almanac --studio --port 4680 --behind-proxy --public-url https://almanac.example.com',
    ),
    exits: '0 after SIGTERM or SIGINT. 2 if it cannot start with these options or on this port.',
  },
  retrieve: anywhere('almanac retrieve --out components', 'almanac retrieve --out components --generation 3'),
  diff: {
    ...anywhere('almanac diff components', 'almanac diff --drafts', 'almanac diff --from 3 --to 5'),
    exits: '3 if there are differences. 1 if the change list cannot be planned.',
  },
  impact: {
    ...anywhere('almanac impact components', 'almanac impact --drafts --limit 100 --json'),
    exits: '1 if the change list cannot be read.',
  },
  validate: {
    ...anywhere(
      'almanac validate components',
      'almanac validate components --prune',
      'almanac validate --drafts --repair config.range_gap=extend_earlier',
      'almanac validate components --format sarif > almanac.sarif',
    ),
    exits: '1 if a finding is an error.',
  },
  apply: anywhere(
    'almanac apply components --rationale "Rates of 2027"',
    'almanac apply --drafts --repair config.range_overlap=end_earlier',
    'almanac apply components --plan plan.json',
    'almanac apply --request 01a20e1c-0519-7000-994c-275c03d99531',
  ),
  push: folder(
    'almanac push --remote test --rationale "Rates of 2027"',
    'almanac push --remote prod --pick config_set/vat_rate --confirm "Kestrel Optics"',
    'almanac push components --remote https://almanac.example.com',
  ),
  compare: { ...folder('almanac compare --remote test'), exits: '3 if the orgs differ.' },
  'remote add': folder(
    'almanac remote add test --url https://almanac.example.com --user deployer --secret-stdin < password.txt',
  ),
  'remote list': folder('almanac remote list'),
  'remote test': folder('almanac remote test test'),
  'remote pin': folder('almanac remote pin test --lineage 0197a1c0-0000-7000-8000-000000000000'),
  'remote remove': folder('almanac remote remove test'),
  generations: anywhere('almanac generations', 'almanac generations --limit 5 --json'),
  rollback: {
    ...anywhere(
      'almanac rollback 3 --dry-run',
      'almanac rollback 3 --rationale "The rate is not law yet."',
      'almanac rollback 3 --breaking object/invoice',
    ),
    exits: reviewExits,
  },
  revert: {
    ...anywhere(
      'almanac revert 4 --dry-run',
      'almanac revert 4 --component config_entry/vat_rate.ee_2027_01_01',
    ),
    exits: reviewExits,
  },
  request: anywhere(
    'almanac request components --title "Rates of 2027" --rationale "Law of 12 June"',
    'almanac request --drafts --on 2027-01-01',
    'almanac request --revert 4',
  ),
  requests: anywhere(
    'almanac requests --state open,approved',
    'almanac requests show 01a20e1c-0519-7000-994c-275c03d99531',
  ),
  approve: anywhere(
    'almanac approve 01a20e1c-0519-7000-994c-275c03d99531 --digest jcs1:sha256:5d5749a2f4e89d2d1750322274a6b3046fd91b976c4418644e89ffde1a1df30a',
  ),
  reject: anywhere('almanac reject 01a20e1c-0519-7000-994c-275c03d99531 --reason "Not law yet"'),
  withdraw: anywhere('almanac withdraw 01a20e1c-0519-7000-994c-275c03d99531'),
  comment: anywhere('almanac comment 01a20e1c-0519-7000-994c-275c03d99531 "From which day?"'),
  schedule: anywhere(
    'almanac schedule 01a20e1c-0519-7000-994c-275c03d99531 2027-01-01',
    'almanac schedule 01a20e1c-0519-7000-994c-275c03d99531 none',
  ),
  approvals: anywhere('almanac approvals', 'almanac approvals 1'),
  budget: folder('almanac budget', 'almanac budget 128MiB'),
  resolve: anywhere(
    'almanac resolve vat_rate --key EE --as-of 2027-01-01 --explain',
    'almanac resolve vat_rate --key EE --as-of 2027-01-01 --scope environment=prod --field rate',
  ),
  evaluate: anywhere(
    'almanac evaluate \'amount * config.vat_rate("EE").rate\' --as-of 2027-01-01 --input amount:number=100.00',
    'almanac evaluate \'config.vat_rate("EE").rate\' --as-of 2027-01-01 --store "EE rate"',
  ),
  replay: {
    ...anywhere(
      'almanac replay --result 01a20e1c-0519-7000-994c-275c03d99531',
      'almanac replay evaluation.json',
    ),
    exits: '1 if the value is not identical.',
  },
  recompute: anywhere('almanac recompute --result 01a20e1c-0519-7000-994c-275c03d99531 --store'),
  rebind: anywhere(
    'almanac rebind --result 01a20e1c-0519-7000-994c-275c03d99531',
    'almanac rebind --object invoice --bound-before 12',
  ),
  'archive create': anywhere(
    'almanac archive create --object invoice --bound-before 12',
    'almanac archive create --object invoice --id 01a21d36-7ad5-7000-a84d-14b41cc03675 --field tax --out tax.json',
  ),
  'archive list': anywhere('almanac archive list'),
  'archive export': anywhere(
    'almanac archive export 01a20e1c-0519-7000-994c-275c03d99531 --out bundles.ndjson',
  ),
  'archive remove': anywhere('almanac archive remove 01a20e1c-0519-7000-994c-275c03d99531'),
  results: anywhere('almanac results --limit 5'),
  evidence: anywhere('almanac evidence 01a20e1c-0519-7000-994c-275c03d99531 --out proof.json'),
  verify: {
    examples: ['almanac verify proof.json'],
    needs: 'nothing',
    exits: '1 if a bundle is not valid.',
  },
  'where-used': anywhere(
    'almanac where-used config_set/vat_rate',
    'almanac where-used value_set/currency --member EUR',
  ),
  types: anywhere('almanac types --out configuration.d.ts'),
  import: {
    ...anywhere(
      'almanac import vat_rate vat.csv --inspect',
      'almanac import vat_rate vat.csv --map vat.map.json',
      'almanac import vat_rate vat.csv --map vat.map.json --repair config.range_gap=extend_earlier --apply',
    ),
    exits: '1 if a row or an entry has an error. Valid rows are saved as drafts.',
  },
  export: anywhere(
    'almanac export vat_rate --out vat.xlsx',
    'almanac export vat_rate --format csv --generation 3',
  ),
  drafts: anywhere('almanac drafts', 'almanac drafts --discard --of mara'),
  check: { ...folder('almanac check'), exits: '1 if the org is damaged.' },
  backup: {
    ...folder('almanac backup /backup/almanac-2027-01-01 --org /srv/almanac'),
    exits: '1 if the folder exists, or if the org is damaged. In both cases, no copy is left behind.',
  },
  audit: anywhere(
    'almanac audit --component config_set/vat_rate --limit 5',
    'almanac audit --search vat_rate --since 2026-01-01 --format csv',
  ),
  purge: folder('almanac purge --before 3'),
  access: anywhere('almanac access mara'),
  'group set': folder('almanac group set tax --name "Tax" --permission-set tax_reader'),
  'group remove': folder('almanac group remove tax'),
  'records get': anywhere(
    'almanac records get invoice 01a21d36-7ad5-7000-a84d-14b41cc03675 --fields number,total',
  ),
  'records query': anywhere(
    `almanac records query invoice --fields number,total,customer.name --filter 'state == "sent"' --order total:desc`,
  ),
  'records insert': anywhere('almanac records insert customer name=Ada territory=DE city=Bonn'),
  'records import': {
    ...anywhere(
      'almanac records import customer customers.csv',
      'almanac records import invoice invoices.jsonl --external-id number',
    ),
    exits: '1 if a row failed; the others are saved.',
  },
  'records evidence': anywhere(
    'almanac records evidence invoice 01a21d36-7ad5-7000-a84d-14b41cc03675 tax --out tax.json',
  ),
  'records erase': anywhere(
    'almanac records erase customer 01a21d36-7ad5-7000-a84d-14b41cc03675 --reason "request 17"',
  ),
  'records export': anywhere('almanac records export customer --out customers.csv'),
  'user add': folder('almanac user add mara --name "Mara" --group tax --password-stdin < password.txt'),
  'user set': folder('almanac user set mara --active no'),
  'user password': folder('almanac user password mara --password-stdin < password.txt'),
  'user sign-out': folder('almanac user sign-out mara'),
  'client secret': anywhere('almanac client secret billing'),
  'credential list': anywhere('almanac credential list'),
  'credential set': anywhere(
    'almanac credential set bank service',
    'almanac credential set bank service --slot key --stdin < key.txt',
    'almanac credential set ledger service --stdin < secrets.json',
  ),
  'credential promote': anywhere('almanac credential promote bank service --grace-hours 48'),
  'vault status': {
    ...anywhere('almanac vault status'),
    exits: '1 if the vault is locked, or if a value does not open.',
  },
  'vault rewrap': anywhere('almanac vault rewrap'),
  token: folder('almanac token --client local'),
}
