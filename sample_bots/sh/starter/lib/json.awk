# A small reader of JSON: each value of a line by its path, such as
#     value["items.items.0.decision.legal.2.card"]
# Places in a list count from 0. Texts are as they are written, without their quotes.

# Read a line into the array value; 1, or 0 where it is no JSON.
function json_read(line, value) {
    split("", value)
    json_text = line
    json_failed = 0
    json_value("", value)
    return !json_failed && json_text ~ /^[ \t\r]*$/
}


function json_value(path, value,    text) {
    if (json_eat("{")) {
        value[path] = "{"
        json_members(path, value)
    } else if (json_eat("[")) {
        value[path] = "["
        json_entries(path, value)
    } else {
        text = json_token()
        value[path] = text ~ /^"/ ? substr(text, 2, length(text) - 2) : text
    }
}

function json_members(path, value,    name) {
    if (json_eat("}")) return
    do {
        name = json_token()
        if (name !~ /^"/ || !json_eat(":")) json_failed = 1
        if (json_failed) return
        json_value((path == "" ? "" : path ".") substr(name, 2, length(name) - 2), value)
    } while (json_eat(","))
    if (!json_eat("}")) json_failed = 1
}

function json_entries(path, value,    count) {
    if (json_eat("]")) return
    do {
        json_value(path "." count + 0, value)
        count++
    } while (json_eat(",") && !json_failed)
    if (!json_eat("]")) json_failed = 1
}

# Take a sign off the text, where it comes next.
function json_eat(sign) {
    sub(/^[ \t\r]+/, "", json_text)
    if (substr(json_text, 1, 1) != sign) return 0
    json_text = substr(json_text, 2)
    return 1
}

# Take a text with its quotes, a number or a word off.
function json_token(    token) {
    sub(/^[ \t\r]+/, "", json_text)
    if (!match(json_text, /^("([^"\\]|\\.)*"|[-+.a-zA-Z0-9]+)/)) {
        json_failed = 1
        return ""
    }
    token = substr(json_text, 1, RLENGTH)
    json_text = substr(json_text, RLENGTH + 1)
    return token
}
