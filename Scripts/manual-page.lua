-- Makes of the page of commands what a manual page has: its tables of terms and meanings become lists of terms.

function Table(element)
  if #element.colspecs ~= 2 then return nil end
  local terms = {}
  for _, body in ipairs(element.bodies) do
    for _, row in ipairs(body.body) do
      local term, meaning = row.cells[1].contents, row.cells[2].contents
      table.insert(terms, { term[1].content, { meaning } })
    end
  end
  return pandoc.DefinitionList(terms)
end

-- Links within the page lead nowhere in a terminal, and code is what is written as it stands: bold.
function Link(element) return element.content end
function Code(element) return pandoc.Strong(element.text) end

-- Sections are in capitals, a level higher than in the page of commands, whose title the manual page has in its head.
function Header(element)
  if element.level == 1 then return {} end
  element.level = element.level - 1
  if element.level > 1 then return element end
  return pandoc.walk_block(element, { Str = function(text) return pandoc.Str(text.text:upper()) end })
end
