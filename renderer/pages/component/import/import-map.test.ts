// The mapping step: columns for the targets of the set, the given answers, and what is still open.
import { describe, expect, it } from 'vitest'
import type { ImportMap, ImportQuestion } from '../../../api/tables.ts'
import { entrySet } from '../sheet/sheet-fixture.ts'
import { columnOf, splitOf, targetsOf, withColumn, withSplit } from './import-map.ts'
import { answerOf, describeOpenPoints, withAnswer } from './import-questions.ts'
import { correctedTimes, withDateForm, withColumnFormat, columnFormatOf } from './column-format.ts'

const targets = targetsOf(entrySet)
const rate = { id: 'field:rate' as const }
const map: ImportMap = {
  key: 'Land',
  from: 'ab',
  values: { rate: { column: 'Satz', as: 'percent', empty: '0' } },
}
const question = (about: ImportQuestion['about'], more: Partial<ImportQuestion> = {}): ImportQuestion => ({
  about,
  message: '',
  choices: [],
  ...more,
})

describe('a map', () => {
  it('gives the separator between several keys of a cell, and nothing for a single key', () => {
    expect(splitOf(withSplit(map, '\n'))).toBe('\n')
    expect(withSplit(withSplit(map, ','), '')).toEqual(map)
  })

  it('asks for the fields of the set', () => {
    expect(targets.map(({ id }) => id)).toEqual([
      'key',
      'field:rate',
      'field:currency',
      'field:reduced',
      'field:decided',
      'field:note',
      'from',
      'to',
      'scopeColumn',
      'priorityColumn',
      'label',
    ])
    const plain = { ...entrySet, keyedBy: null, dated: false, fields: [], scopes: ['org' as const] }
    expect(targetsOf(plain).map(({ id }) => id)).toEqual(['label'])
  })

  it('sets and removes columns, and keeps their format', () => {
    expect([columnOf(map, { id: 'key' }), columnOf(map, rate), columnOf(map, { id: 'to' })]).toEqual([
      'Land',
      'Satz',
      '',
    ])
    const other = withColumn(map, rate, 'Wert')
    expect([columnOf(other, rate), columnFormatOf(other, rate)]).toEqual([
      'Wert',
      { times: '0.01', decimal: '', empty: '0' },
    ])
    expect(withColumn(map, rate, '')).toEqual({ key: 'Land', from: 'ab', values: {} })
    expect(withColumn(map, { id: 'to' }, 'bis')).toMatchObject({ to: 'bis' })
    expect(withColumnFormat(map, rate, { times: '1', empty: '' })).toMatchObject({ values: { rate: 'Satz' } })
    expect(withColumnFormat(withColumn({}, rate, 'Satz'), rate, { times: '0.01' })).toEqual({
      values: { rate: { column: 'Satz', as: 'percent' } },
    })
  })

  it('puts answers into the map, and reports which need the file to be read again', () => {
    expect(withAnswer(map, question('dates'), 'DD/MM/YYYY', targets)).toMatchObject({ dates: 'DD/MM/YYYY' })
    expect(withAnswer(map, question('to'), 'inclusive', targets)).toMatchObject({ toIs: 'inclusive' })
    expect(withAnswer({}, question('field', { field: 'rate' }), 'Satz', targets)).toEqual({
      values: { rate: 'Satz' },
    })
    expect(withAnswer(map, question('encoding'), 'utf-8', targets)).toBeNull()
    for (const [about, choice] of [
      ['dates', 'YYYYMMDD'],
      ['decimal', 'comma'],
      ['ends', 'next'],
      ['to', 'exclusive'],
      ['key', 'Code'],
    ] as const)
      expect(answerOf(withAnswer(map, question(about), choice, targets)!, question(about))).toBe(choice)
  })

  it('is open while a required target has no column or a question has no answer', () => {
    expect(describeOpenPoints(map, targets, { map: null, questions: [question('dates')] })).toEqual([
      'Choose how the dates are written.',
    ])
    expect(describeOpenPoints({ values: {} }, targets, { map: null, questions: [] })).toEqual([
      'territory has no column yet.',
      'Rate has no column yet.',
      'First day has no column yet.',
    ])
    expect(
      describeOpenPoints({ ...map, dates: 'YYYYMMDD' }, targets, {
        map: null,
        questions: [question('dates')],
      }),
    ).toEqual([])
  })

  it('asks whether the day of an end column is included, and no longer when rows end', () => {
    const fileQuestions = { map, questions: [question('ends')] }
    expect(describeOpenPoints(map, targets, fileQuestions)).toEqual(['Choose when each row ends.'])
    const ending = withColumn({ ...map, ends: 'next' }, { id: 'to' }, 'bis')
    expect(ending).toEqual({ ...map, to: 'bis' })
    expect(describeOpenPoints(ending, targets, fileQuestions)).toEqual([
      'Choose whether the row applies on its end day.',
    ])
    expect(describeOpenPoints({ ...ending, toIs: 'exclusive' }, targets, fileQuestions)).toEqual([])
    expect(describeOpenPoints(ending, targets, { map: ending, questions: [] })).toEqual([])
    expect(describeOpenPoints(withColumn(ending, { id: 'to' }, ''), targets, fileQuestions)).toHaveLength(1)
  })

  it('keeps the date format of each column, and one format if all share it', () => {
    const columns = ['ab', 'bis']
    const own = withDateForm({ ...map, to: 'bis' }, ['bis'], 'DD.MM.YY', columns)
    expect(own.dates).toEqual({ ab: 'YYYY-MM-DD', bis: 'DD.MM.YY' })
    expect(withDateForm(own, ['ab'], 'DD.MM.YY', columns).dates).toBe('DD.MM.YY')
    expect(withDateForm(own, ['bis'], 'YYYY-MM-DD', columns)).toEqual({ ...map, to: 'bis' })
    const openQuestion = question('dates', { columns: ['ab'] })
    expect(
      describeOpenPoints({ ...map, dates: { bis: 'DD.MM.YY' } }, targets, {
        map: null,
        questions: [openQuestion],
      }),
    ).toHaveLength(1)
    expect(
      describeOpenPoints({ ...map, dates: { ab: 'DD/MM/YYYY' } }, targets, {
        map: null,
        questions: [openQuestion],
      }),
    ).toEqual([])
  })

  it('corrects a unit by a factor, and two that cancel each other out leave the numbers unchanged', () => {
    expect(correctedTimes('1', '0.01')).toBe('0.01')
    expect(correctedTimes('0.01', '100')).toBe('1')
    expect(correctedTimes('1000', '0.001')).toBe('1')
    expect(correctedTimes('100', '100')).toBe('10000')
    expect(withColumnFormat(map, rate, { times: '1000' })).toMatchObject({
      values: { rate: { column: 'Satz', times: '1000', empty: '0' } },
    })
  })
})
