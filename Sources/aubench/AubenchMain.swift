@main struct AubenchMain { static func main() {} }
