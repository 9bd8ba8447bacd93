# Prints what json_read makes of each line: its paths and values, or that it is no JSON.
{
    if (!json_read($0, value)) print "no JSON"
    else if (PATH in value) print value[PATH]
    else print "absent"
}
