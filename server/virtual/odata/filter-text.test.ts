import { filter as parseFilter } from 'odata-v4-parser'
import { describe, expect, it } from 'vitest'
import { constants, fixtureObject, fixtureView } from '../fixture.ts'
import { compileRowFilter } from '../row-filter.ts'
import { filterText } from './filter-text.ts'

const view = fixtureView()
const object = fixtureObject(view)
const textOf = (source: string): string | boolean =>
  filterText(compileRowFilter(source, object, view).condition(constants), object)

describe('a filter as $filter', () => {
  it.each<[string, string | boolean]>([
    // Literals by type
    ['name == "it\'s"', "Name eq 'it''s'"],
    ['amount == 0.10', 'Amount eq 0.1'],
    ['amount == -12345678901234567890.5', 'Amount eq -12345678901234567890.5'],
    ['pieces == 7', 'Pieces eq 7'],
    ['placed == date("2026-02-28")', 'Placed eq 2026-02-28'],
    ['sent_at == datetime("2026-01-01T10:00:00+02:00")', 'SentAt eq 2026-01-01T08:00:00Z'],
    ['status == "Paid"', "Status eq Sales.Status'Paid'"],
    ['batch_no == "0f8fad5b-d9cb-469f-a165-70867728950e"', 'Batch eq 0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['open == true', 'Open eq true'],
    // No GUID is read as this text
    ['batch_no == "x"', false],
    ['batch_no != "x"', 'Batch ne null'],
    // Absent values: each comparison is false, before any "!"
    ['open', 'Open eq true'],
    ['!open', 'not (Open ne null and Open eq true)'],
    ['amount != 1', 'Amount ne null and Amount ne 1'],
    ['amount < 1', 'Amount ne null and Amount lt 1'],
    ['1 < amount', 'Amount ne null and 1 lt Amount'],
    ['!(amount == 1)', 'not (Amount ne null and Amount eq 1)'],
    ['amount == pieces', 'Amount ne null and Pieces ne null and Amount eq Pieces'],
    ['present(amount)', 'Amount ne null'],
    ['present(amount * pieces)', 'Amount ne null and Pieces ne null'],
    ['present(name + "x")', 'Name ne null'],
    ['amount * 2 - 1 >= pieces', 'Amount ne null and Pieces ne null and (Amount mul 2.0) sub 1.0 ge Pieces'],
    ['-amount > 1', 'Amount ne null and 0.0 sub Amount gt 1'],
    ['amount in [1, 2.5]', 'Amount eq 1 or Amount eq 2.5'],
    ['amount in [pieces, 1]', '(Amount ne null and Pieces ne null and Amount eq Pieces) or Amount eq 1'],
    ['status in ["Draft", "Sent"]', "Status eq Sales.Status'Draft' or Status eq Sales.Status'Sent'"],
    // Functions
    ['name.contains("a")', "Name ne null and contains(Name,'a')"],
    ['name.lower().startsWith("a")', "Name ne null and startswith(tolower(Name),'a')"],
    ['"abc".endsWith(name)', "Name ne null and endswith('abc',Name)"],
    ['name.trim().upper() == "A"', "Name ne null and toupper(trim(Name)) eq 'A'"],
    ['name.substring(1) == "A"', "Name ne null and substring(Name,1) eq 'A'"],
    ['name.substring(1, 3) == "AB"', "Name ne null and substring(Name,1,2) eq 'AB'"],
    ['name.size() > 3', 'Name ne null and length(Name) gt 3'],
    [
      'name + ", " + city == "A, B"',
      "Name ne null and City ne null and concat(concat(Name,', '),City) eq 'A, B'",
    ],
    [
      'year(placed) == 2026 && day(placed) < 3',
      'Placed ne null and year(Placed) eq 2026 and Placed ne null and day(Placed) lt 3',
    ],
    [
      'floor(amount) == 1 || ceil(amount) == 3',
      '(Amount ne null and floor(Amount) eq 1) or (Amount ne null and ceiling(Amount) eq 3)',
    ],
    ['date(placed) == placed', 'Placed ne null and Placed eq Placed'],
    // The UTC date of a datetime
    [
      'date(sent_at) == date("2026-12-31")',
      'SentAt ne null and SentAt ge 2026-12-31T00:00:00Z and SentAt lt 2027-01-01T00:00:00Z',
    ],
    [
      'date(sent_at) != date("2026-12-31")',
      'SentAt ne null and (SentAt lt 2026-12-31T00:00:00Z or SentAt ge 2027-01-01T00:00:00Z)',
    ],
    ['date("2026-12-31") < date(sent_at)', 'SentAt ne null and SentAt ge 2027-01-01T00:00:00Z'],
    ['date(sent_at) <= date("9999-12-31")', 'SentAt ne null'],
    ['date(sent_at) > date("9999-12-31")', false],
    // Precedence is written out
    ['amount == 1 && (open || name == "x")', "Amount eq 1 and (Open eq true or Name eq 'x')"],
    ['amount == 1 && open || name == "x"', "(Amount eq 1 and Open eq true) or Name eq 'x'"],
    // Constants are computed before
    ['1 < 2 || open', true],
    ['amount > config.limits.credit', false],
    ['!(amount > config.limits.credit)', true],
    ['open && 1 == 1', 'Open eq true'],
    ['amount == round(10 / 3, 2)', 'Amount eq 3.33'],
    ['name.contains(config.limits.note)', false],
  ])('%s', (source, expected) => {
    expect(textOf(source)).toBe(expected)
    if (typeof expected === 'string') expect(() => parseFilter(expected)).not.toThrow()
  })

  it.each([
    ['name > "a"', 'the order of texts'],
    ['name == batch_no', 'different types in the source'],
    ['status.contains("a")', 'an enumeration in the source'],
    ['batch_no.startsWith("a")', 'a GUID in the source'],
    ['weight * 2 > 1', 'binary floating-point'],
    ['amount % 2 == 0', 'remainders'],
    ['year(sent_at) == 2026', 'the offset of each value'],
    ['date(sent_at) == placed', 'the offset of each value'],
    ['datetime(placed) == sent_at', 'no such function'],
    ['name.substring(pieces) == "a"', 'a position that depends on the row'],
    ['open == (amount > 1)', 'a condition that is used as a value'],
    ['present(amount > 1)', 'a condition that is used as a value'],
    ['double > 1', 'the formula double'],
    ['name.matches("a")', 'regular expressions'],
    ['round(amount) == 1', 'rounds halves differently'],
    ['[amount, 1].exists(x, x > 2)', 'exists; write out'],
    ['amount in [amount / 2]', 'multiply the other side'],
  ])('refuses %s', (source, reason) => {
    expect(() => textOf(source)).toThrow(reason)
  })

  it('reports a position that is not a whole number, as the evaluation does', () => {
    expect(() => textOf('name.substring(1.5) == "a"')).toThrow('substring takes whole numbers')
  })
})
